import { describe, expect, it } from "vitest";
import { fromHex, toHex, type Span } from "../core/bytes.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { decodeMbus } from "./decode.ts";
import { explainBytes } from "./explain.ts";
import { ackFrame, frameLength, longFrame, matchAnswer, parseFrame, shortFrame } from "./frame.ts";

const changed = (bytes: Uint8Array, at: number, by: number) =>
  bytes.map((byte, place) => (place === at ? byte ^ by : byte));
const answer = longFrame(0x08, 5, 0x78, fromHex("0c13 01000000"));

describe("a frame", () => {
  // Source: EN 13757-2, 5.7.3: 10 C A sum 16; 68 L L 68 C A CI data sum 16; the sum of C to the data modulo 256.
  it("is built as the standard says, up to the longest", () => {
    expect(toHex(shortFrame(0x5b, 0xfe))).toBe("105bfe5916");
    expect(toHex(ackFrame)).toBe("e5");
    expect(toHex(longFrame(0x53, 1, 0x51, [0x01, 0x7a, 0x08]))).toBe("68060668530151017a082816");
    expect(longFrame(0x08, 1, 0x78, new Uint8Array(252))).toHaveLength(261);
    expect(() => longFrame(0x08, 1, 0x78, new Uint8Array(253))).toThrow(RangeError);
  });

  it("is read with its offsets", () => {
    expect(parseFrame(answer)).toEqual({
      ...{ kind: "long", control: 0x08, address: 5, ci: 0x78, dataOffset: 7 },
      data: fromHex("0c1301000000"),
    });
    expect(parseFrame(longFrame(0x53, 5, 0x50))).toMatchObject({ ci: 0x50, data: new Uint8Array(0) });
    expect(parseFrame(shortFrame(0x40, 250))).toEqual({ kind: "short", control: 0x40, address: 250 });
  });

  it.each<[string, Uint8Array, string, number]>([
    ["nothing", new Uint8Array(0), "unexpected", 0],
    ["no start", fromHex("55"), "unexpected", 0],
    ["a short frame without its end", fromHex("107b05"), "unexpected", 3],
    ["a short frame with another sum", fromHex("107b058116"), "checksum", 3],
    ["a short frame with another stop", fromHex("107b058017"), "unexpected", 4],
    ["bytes behind a short frame", fromHex("107b05801600"), "unexpected", 5],
    ["bytes behind an acknowledgement", fromHex("e5e5"), "unexpected", 1],
    ["two lengths that differ", changed(answer, 2, 1), "unexpected", 2],
    ["another second start", changed(answer, 3, 1), "unexpected", 3],
    ["a length under 3", fromHex("680202680801 0916"), "unexpected", 4],
    ["a byte missing", answer.subarray(0, -1), "unexpected", 4],
    ["another sum", changed(answer, 8, 1), "checksum", answer.length - 2],
    ["another stop", changed(answer, answer.length - 1, 1), "unexpected", answer.length - 1],
    ["bytes behind it", Uint8Array.of(...answer, 0), "unexpected", answer.length],
  ])("with %s is refused at its place", (_, bytes, kind, offset) => {
    expect(refusalOf(() => parseFrame(bytes))).toEqual({ kind, offset });
  });

  it("is named in the order of its bytes", () => {
    const trace: Span[] = [];
    decodeMbus(answer, { trace });

    expect(trace.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14]);
  });

  it("that carries no readings is refused at its beginning or at its control field", () => {
    expect(refusalOf(() => decodeMbus(ackFrame))).toEqual({ kind: "unsupported", offset: 0 });
    expect(refusalOf(() => decodeMbus(shortFrame(0x5b, 5)))).toEqual({ kind: "unsupported", offset: 0 });
    expect(refusalOf(() => decodeMbus(longFrame(0x53, 5, 0x72)))).toEqual({ kind: "unsupported", offset: 4 });
    expect(refusalOf(() => decodeMbus(longFrame(0x08, 5, 0xb7)))).toEqual({ kind: "unsupported", offset: 6 });
    expect(refusalOf(() => decodeMbus(longFrame(0x08, 5, 0x78, [0x04])))).toEqual({
      kind: "unexpected",
      offset: 8,
    });
  });

  it.each<[string, number | undefined]>([
    ["", 0],
    ["e5", 1],
    ["e500", 1],
    ["00", 0],
    ["10", undefined],
    ["107b0580", undefined],
    ["107b058016", 5],
    ["107b058017", 0],
    ["107b05801600", 5],
    ["68", undefined],
    ["6802", 0],
    ["6803", undefined],
    ["680304", 0],
    ["680303", undefined],
    ["68030369", 0],
    ["68030368", undefined],
    ["6803036808017879", undefined],
    ["680303680801788116", 9],
    ["68030368080178811600", 9],
    ["68ffff68", undefined],
  ])("%s has the length %s, as far as it can be told", (hex, length) => {
    expect(frameLength(fromHex(hex))).toBe(length);
  });
});

describe("an answer that is waited for", () => {
  const state = (wants: "ack" | "data", received: Uint8Array, from?: number) =>
    matchAnswer(wants, from)(received);

  it("is an acknowledgement, or data of the one who was asked", () => {
    expect(state("ack", ackFrame)).toEqual({ state: "frame", length: 1, skip: 0 });
    expect(state("data", ackFrame)).toEqual({ state: "more", skip: 1 });
    expect(state("ack", answer)).toEqual({ state: "more", skip: answer.length });
    expect(state("data", answer)).toEqual({ state: "frame", length: answer.length, skip: 0 });
    expect(state("data", answer, 5)).toEqual({ state: "frame", length: answer.length, skip: 0 });
    expect(state("data", answer, 6)).toEqual({ state: "more", skip: answer.length });
    expect(state("data", answer, 0)).toEqual({ state: "more", skip: answer.length });
  });

  it("is never what a master has sent, short or long", () => {
    const own = longFrame(0x53, 5, 0x51, [0x01]);

    expect(state("data", own)).toEqual({ state: "more", skip: own.length });
    expect(state("ack", shortFrame(0x40, 5))).toEqual({ state: "more", skip: 5 });
    // Not even a short frame with a wrong sum ends the wait.
    expect(state("ack", fromHex("1040054616"))).toEqual({ state: "more", skip: 5 });
  });

  it("may still be coming behind what does not belong to it", () => {
    expect(state("data", fromHex("0068"))).toEqual({ state: "more", skip: 1 });
    expect(state("data", fromHex("0001"))).toEqual({ state: "more", skip: 2 });
    expect(state("data", fromHex(""))).toEqual({ state: "more", skip: 0 });
    expect(refusalOf(() => state("data", changed(answer, 8, 1)))).toEqual({
      kind: "checksum",
      offset: answer.length - 2,
    });
  });
});

describe("the bytes of a line", () => {
  const names = (bytes: Uint8Array | string) =>
    explainBytes(typeof bytes === "string" ? fromHex(bytes) : bytes).map(
      ({ offset, bytes: count, name }: Span) => [offset, count, typeof name === "string" ? name : name.code],
    );
  const head = [
    [0, 1, "start_long"],
    [1, 1, "l_field"],
    [2, 1, "l_field_again"],
    [3, 1, "start_again"],
    [4, 1, "c_field"],
    [5, 1, "a_field"],
    [6, 1, "ci_field"],
  ];

  it("are named: acknowledgement, short frame, noise, and what ends early", () => {
    expect(names("e5")).toEqual([[0, 1, "acknowledgement"]]);
    expect(names("107b058016")).toEqual([
      [0, 1, "start_short"],
      [1, 1, "c_field"],
      [2, 1, "a_field"],
      [3, 1, "checksum"],
      [4, 1, "stop"],
    ]);
    expect(names("000102e5")).toEqual([
      [0, 3, "noise"],
      [3, 1, "acknowledgement"],
    ]);
    expect(names("0001")).toEqual([[0, 2, "noise"]]);
    expect(names("107b")).toEqual([
      [0, 1, "start_short"],
      [1, 1, "c_field"],
    ]);
    expect(names("")).toEqual([]);
  });

  it("are named: an answer, a selection, and data for the meter", () => {
    expect(names(answer)).toEqual([
      ...head,
      [7, 1, "dif"],
      [8, 1, "vif"],
      [9, 4, "volume"],
      [13, 1, "checksum"],
      [14, 1, "stop"],
    ]);
    expect(names(longFrame(0x53, 253, 0x52, fromHex("78563412ffffffff")))).toEqual([
      ...head,
      [7, 4, "identification_number"],
      [11, 2, "manufacturer_wanted"],
      [13, 1, "version_wanted"],
      [14, 1, "medium_wanted"],
      [15, 1, "checksum"],
      [16, 1, "stop"],
    ]);
    expect(names(longFrame(0x53, 5, 0x51, fromHex("046d 2f0b7d3b")))).toEqual([
      ...head,
      [7, 1, "dif"],
      [8, 1, "vif"],
      [9, 4, "time_point"],
      [13, 1, "checksum"],
      [14, 1, "stop"],
    ]);
    expect(names(longFrame(0x53, 5, 0x50, [0x10]))).toEqual([
      ...head,
      [7, 1, "data"],
      [8, 1, "checksum"],
      [9, 1, "stop"],
    ]);
  });

  it("are named behind each other, one frame after the other", () => {
    expect(names("e5107b058016")).toEqual([
      [0, 1, "acknowledgement"],
      [1, 1, "start_short"],
      [2, 1, "c_field"],
      [3, 1, "a_field"],
      [4, 1, "checksum"],
      [5, 1, "stop"],
    ]);
    expect(names(Uint8Array.of(0, ...answer))[1]).toEqual([1, 1, "start_long"]);
    expect(names(Uint8Array.of(0, ...answer)).at(-3)).toEqual([10, 4, "volume"]);
    expect(names(changed(answer, 9, 1)).at(-1)).toEqual([14, 1, "undecoded"]);
  });

  it("of a list of records are named with special fields, makers' data and filler", () => {
    const bytes = longFrame(0x08, 5, 0x78, fromHex("2f 7f 8c01 13 01000000 04 833b 05000000 1f aabb"));

    expect(names(bytes).slice(7, -2)).toEqual([
      [7, 1, "filler"],
      [8, 1, "global_readout"],
      [9, 1, "dif"],
      [10, 1, "dife"],
      [11, 1, "vif"],
      [12, 4, "volume"],
      [16, 1, "dif"],
      [17, 2, "vif"],
      [19, 4, "energy"],
      [23, 1, "dif_makers_data"],
      [24, 2, "makers_data"],
    ]);
    expect(explainBytes(bytes).find(({ offset }) => offset === 17)?.value).toEqual({
      word: { code: "energy", unit: "Wh", detail: "forward" },
    });
    expect(explainBytes(bytes).find(({ offset }) => offset === 24)?.value).toBe("AA BB");
    expect(explainBytes(bytes).find(({ offset }) => offset === 11)?.value).toEqual({
      word: { code: "volume", unit: "m^3" },
    });
  });

  it("that are a time are shown as a time of the meter", () => {
    const spans = explainBytes(longFrame(0x08, 5, 0x78, fromHex("046d 2f0b7d3b 026c ffff")));

    expect(spans.find(({ offset }) => offset === 9)?.value).toEqual({ local: "2027-11-29T11:47:00Z" });
    expect(spans.find(({ offset }) => offset === 15)?.value).toBeNull();
  });
});
