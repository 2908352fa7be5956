import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { stepOf, type Responder } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse } from "../core/fuzz/replay.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { ackFrame, longFrame, shortFrame } from "./frame.ts";
import { searchMeters, sharedLine, type FoundMeter, type SearchOptions } from "./search.ts";

const silence = new Uint8Array(0);
const header = "78563412 2d2c 0b 04 2a 00 0000";
const answer = (hex: string, ci = 0x72, control = 0x08) => longFrame(control, 0, ci, fromHex(hex));
const found: FoundMeter = {
  ...{ id: "12345678", manufacturer: "KAM", version: 11, medium: 4, mediumName: "Heat: Outlet" },
};

/** A line on which something answers to selections that fit a mask of one digit, and to requests. */
function line(of: { selected?: (mask: string) => Uint8Array; requested?: Uint8Array }): Responder {
  let isSelected = false;
  return {
    receive(bytes) {
      if (bytes[1] === 0x40) isSelected = false;
      if (bytes[6] === 0x52) {
        const mask = toHex(bytes.subarray(7, 11).toReversed());
        const reply = of.selected?.(mask) ?? ackFrame;
        isSelected = reply.length > 0;
        return reply.length > 0 ? [reply] : [];
      }
      return bytes[1] === 0x7b && isSelected && of.requested ? [of.requested] : [];
    },
  };
}
const one = { mask: "12345678" };
const search = (of: Parameters<typeof line>[0], options: SearchOptions = one) =>
  converse(searchMeters(options), line(of));

describe("the steps of a search", () => {
  it("are three for a meter, tried once, and end by silence", () => {
    const talk = searchMeters({ ...one, baud: 300 });
    const shown: unknown[] = [];
    let turn = talk.next();
    for (const reply of [silence, ackFrame, answer(header)]) {
      const { label, send, firstByteMs, interByteMs, tries, endsBySilence, match } = stepOf(turn);
      shown.push([label, toHex(send), firstByteMs, interByteMs, tries, endsBySilence]);
      expect(match?.(answer(header))).toEqual({ state: "more" });
      turn = talk.next(reply);
    }

    expect(shown).toEqual([
      ["deselect", "1040fd3d16", 2300, 2300, 1, true],
      [
        { code: "select", n: "12345678" },
        toHex(longFrame(0x53, 253, 0x52, fromHex("78563412ffffffff"))),
        ...[2300, 2300, 1, true],
      ],
      [{ code: "read_behind_mask", n: "12345678" }, "107bfd7816", 2300, 2300, 1, true],
    ]);
    expect(turn.value).toEqual({ meters: [found], unresolved: [], isComplete: true });
  });

  it("stop before a mask that may exceed their number", () => {
    const collided = { selected: () => Uint8Array.of(0xe5, 0x00) };
    // The first mask takes two steps, as does each of the ten behind it.
    const isComplete = (maxSteps: number) => search(collided, { mask: "1234567F", maxSteps }).isComplete;

    expect([isComplete(2), isComplete(21), isComplete(22), isComplete(23)]).toEqual([
      ...[false, false, false, true],
    ]);
    expect(search({ requested: answer(header) }, { ...one, maxSteps: 3 }).isComplete).toBe(true);
    expect(search({ requested: answer(header) }, { ...one, maxSteps: 2 })).toEqual({
      ...{ meters: [], unresolved: [], isComplete: false },
    });
  });

  it("go from the smallest digit on, the first that may be any", () => {
    const masks: string[] = [];
    const selected = (mask: string) => {
      masks.push(mask);
      return mask === "12f45fff" ? Uint8Array.of(0) : silence;
    };

    search({ selected }, { mask: "12f45fff" });
    expect(masks).toEqual(["12f45fff", ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `12${String(n)}45fff`)]);
  });

  it.each(["1234567", "123456789", "1234567A", ""])("with the mask %j are refused", (mask) => {
    expect(refusalOf(() => search({}, { mask }))).toEqual({ kind: "unexpected", offset: undefined });
  });

  it("end with what other errors than of a device there are", () => {
    const talk = searchMeters(one);
    talk.next();

    expect(() => talk.throw(new TypeError("a bug"))).toThrow(TypeError);
  });

  it("go on after a silent line is told as an error", () => {
    const talk = searchMeters(one);
    talk.next();
    talk.throw(new ProtocolError("timeout", "silence"));

    expect(talk.throw(new ProtocolError("timeout", "silence")).value).toEqual({
      ...{ meters: [], unresolved: [], isComplete: true },
    });
  });
});

describe("an answer to a search", () => {
  it.each<[string, Uint8Array, FoundMeter]>([
    ["a header", answer(header), found],
    ["a header with the high byte first", answer("12345678 2c2d 0b 04 2a 00 0000", 0x76), found],
    ["encrypted records", answer(`${header.slice(0, -4)}1005 ${"00".repeat(16)}`), found],
    [
      "the fixed data structure",
      answer("78563412 0a 00 e97e 01000000 35010000", 0x73),
      { id: "12345678", manufacturer: "", version: 0, medium: 7, mediumName: "Water" },
    ],
  ])("with %s names its meter", (_, requested, meter) => {
    expect(search({ requested })).toEqual({ meters: [meter], unresolved: [], isComplete: true });
  });

  it.each<[string, Parameters<typeof line>[0]]>([
    ["no data", {}],
    ["half a frame", { requested: answer(header).subarray(0, -1) }],
    ["a byte more than a frame", { requested: Uint8Array.of(...answer(header), 0) }],
    ["a damaged frame", { requested: answer(header).map((byte, at) => (at === 8 ? byte ^ 1 : byte)) }],
    ["a short frame", { requested: shortFrame(0x08, 0) }],
    ["another acknowledgement", { requested: ackFrame }],
    ["a frame of a master", { requested: answer(header, 0x72, 0x48) }],
    ["data without a header", { requested: answer("0c13 01000000", 0x78) }],
    ["data without a number", { requested: answer("01 00 0000 0c13 01000000", 0x7a) }],
    ["an error report", { requested: answer("08", 0x70) }],
    ["a header that ends early", { requested: answer("78563412") }],
    ["a meter that does not fit the mask", { requested: answer(`88563412 ${header.slice(8)}`) }],
    ["two acknowledgements", { selected: () => Uint8Array.of(0xe5, 0xe5), requested: answer(header) }],
    ["something else than one", { selected: () => Uint8Array.of(0xe4), requested: answer(header) }],
  ])("with %s is a collision", (_, of) => {
    expect(search(of)).toEqual({ meters: [], unresolved: ["12345678"], isComplete: true });
  });

  it("is told once, when its meter is found", () => {
    const told: FoundMeter[] = [];
    const onFound = (meter: FoundMeter) => void told.push(meter);
    // One that acknowledges every selection is found behind each mask that fits it.
    const collides = (mask: string) => (mask === "123456ff" ? Uint8Array.of(0) : ackFrame);
    const result = search({ selected: collides, requested: answer(header) }, { mask: "123456ff", onFound });

    expect(told).toEqual([found]);
    expect(result.meters).toEqual([found]);
    expect(result.unresolved).toHaveLength(90);
  });
});

describe("a shared line", () => {
  const saying = (...hex: string[]): Responder => ({ receive: () => hex.map((each) => fromHex(each)) });
  const heard = (...slaves: Responder[]) => sharedLine(slaves).receive(silence).map(toHex);

  it("is silent, or has the answers of the one who speaks", () => {
    expect(heard()).toEqual([]);
    expect(heard(saying(), saying())).toEqual([]);
    expect(heard(saying(), saying("e5", "10"))).toEqual(["e5", "10"]);
  });

  it("mixes answers: each begins a byte later, and a 0 wins", () => {
    expect(heard(saying("f0"), saying("0f"))).toEqual(["f00f"]);
    expect(heard(saying("ffff"), saying("0f"))).toEqual(["ff0f"]);
    expect(heard(saying("3c", "3c"), saying("0fff"), saying("aa"))).toEqual(["3c0caa"]);
    expect(heard(saying("e5"), saying("e5"), saying("e5"))).toEqual(["e5"]);
    expect(heard(saying("e5"), saying("e5"), saying("e4"))).toEqual(["e5e5e4"]);
  });
});
