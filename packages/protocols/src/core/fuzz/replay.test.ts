import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../bytes.ts";
import type { Conversation, Match, Responder, Step } from "../conversation.ts";
import { ProtocolError } from "../errors.ts";
import { sessionTarget, identification, seedMeter } from "./fuzzSession.ts";
import { rawLine } from "../rawLine.ts";
import { converse, replay } from "./replay.ts";
import { refusalOf } from "../testing/testRefusal.ts";
import { failureOf, talk } from "../testing/testLine.ts";

type Given = Partial<Pick<Step, "match" | "tries" | "endsBySilence">>;
const whole = (received: Uint8Array): Match =>
  received.length < 2 ? { state: "more" } : { state: "frame", length: 2 };
const step = (send: string, given: Given = {}): Step => ({
  label: "send_password",
  send: fromHex(send),
  match: whole,
  firstByteMs: 1,
  interByteMs: 1,
  tries: 1,
  ...given,
});
function* asking(...steps: readonly Step[]): Conversation<string> {
  const answers: string[] = [];
  for (const each of steps) answers.push(toHex(yield each));
  return answers.join();
}
function* catching(...steps: readonly Step[]): Conversation<string> {
  try {
    return yield* asking(...steps);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return error.kind;
  }
}
function* reserving(): Conversation<string> {
  const first = toHex(yield { counter: "key", atLeast: 258, count: 2 });
  return `${first} ${toHex(yield { counter: "key", atLeast: 7, count: 1 })}`;
}
/** Answers to requests in hexadecimal; silent to others. */
const meter = (answers: Readonly<Record<string, readonly string[]>>): Responder => ({
  receive: (bytes) => (answers[toHex(bytes)] ?? []).map((each) => fromHex(each)),
});
const pairs = (...given: readonly (readonly [string, string])[]) =>
  given.map(([sent, received]) => [fromHex(sent), fromHex(received)] as const);
const skipping: Given = {
  match: (received) =>
    received.length < 3 ? { state: "more", skip: 1 } : { state: "frame", length: 2, skip: 1 },
};

describe("a recorded dialogue", () => {
  it("must send what was recorded, all of it and nothing more", () => {
    expect(replay(asking(step("01"), step("02")), pairs(["01", "aabb"], ["02", "ccdd"]))).toBe("aabb,ccdd");
    for (const [recorded, dialogue] of [
      [pairs(["02", "aabb"]), asking(step("01"))],
      [pairs(), asking(step("01"))],
      [pairs(["01", "aabb"], ["02", "ccdd"]), asking(step("01"))],
    ] as const)
      expect(refusalOf(() => replay(dialogue, recorded))).toEqual({ kind: "unexpected", offset: undefined });
  });

  it("gets the least number that it reserves", () => {
    expect(replay(reserving(), [])).toBe("00000102 00000007");
  });
});

describe.each<[string, (dialogue: Conversation<string>, meter: Responder) => string]>([
  ["converse", converse],
  ["talk", (dialogue, device) => talk(dialogue, device)],
])("a dialogue by %s", (_, hold) => {
  it.each<[string, readonly string[], Given, string]>([
    ["the first whole answer", ["aa", "bbcc"], {}, "aabb"],
    ["a part, which times out", ["aa"], {}, "timeout"],
    ["nothing, which times out", [], {}, "timeout"],
    ["what came before the silence", ["aa"], { endsBySilence: true }, "aa"],
    ["nothing before the silence", [], { endsBySilence: true }, "timeout"],
    ["no answer where none is expected", ["aabb"], { match: undefined }, ""],
    ["an answer behind noise", ["99aabb"], skipping, "aabb"],
    ["only noise", ["99"], { ...skipping, endsBySilence: true }, "timeout"],
    ["what came behind noise", ["99aa"], { ...skipping, endsBySilence: true }, "aa"],
  ])("gets %s", (_name, answers, given, result) => {
    expect(hold(catching(step("01", given)), meter({ "01": answers }))).toBe(result);
  });

  it("is told an error of the protocol; a bug ends it", () => {
    const failing = (error: Error): Step =>
      step("01", {
        match: () => {
          throw error;
        },
      });

    expect(hold(catching(failing(new ProtocolError("checksum", "wrong"))), meter({}))).toBe("checksum");
    expect(() => hold(catching(failing(new Error("a bug"))), meter({}))).toThrow("a bug");
  });
});

describe("a line of a test", () => {
  const answered = meter({ "01": ["aabb"] });

  it("tries as often as the step says", () => {
    const tried: number[] = [];
    const twice = talk(catching(step("01", { tries: 3 })), answered, {
      loseRequest: (n) => (tried.push(n), n < 3),
    });

    expect([twice, tried]).toEqual(["aabb", [1, 2, 3]]);
    expect(talk(catching(step("01", { tries: 2 })), answered, { loseRequest: (n) => n < 3 })).toBe("timeout");
    expect(talk(catching(step("01")), answered, { spoil: () => [] })).toBe("timeout");
    expect(
      talk(catching(step("01")), answered, { spoil: (reply, n) => [fromHex(`0${String(n)}`), reply] }),
    ).toBe("01aa");
  });

  it("gives numbers that were never given, from the least on", () => {
    const reserved: number[] = [];

    expect(talk(reserving(), answered, { reserved })).toBe("00000102 00000104");
    expect(reserved).toEqual([258, 260]);
  });

  it("tells the error with which something ends, if any", () => {
    const bug = new Error("a bug");
    const act = () => {
      throw bug;
    };

    expect([failureOf(act), failureOf(() => 1)]).toEqual([bug, undefined]);
  });
});

describe("a line behind a transparent gateway", () => {
  const device = { insideAddr: "", deviceID: "1" };
  const none = (): never => {
    throw new Error("no such command");
  };
  const send = (): Conversation<unknown> => rawLine.commands.bytes?.(device, { bytes: "0A0b" }) ?? none();

  it("sends bytes once and shows what came back, all of it", () => {
    const dialogue = send();
    const turn = dialogue.next();

    expect(turn.value).toMatchObject({
      label: { code: "raw_bytes" },
      send: fromHex("0a0b"),
      firstByteMs: 3000,
      interByteMs: 500,
      tries: 1,
      endsBySilence: true,
    });
    expect((turn.value as Step).match?.(fromHex("01"))).toEqual({ state: "more" });
    expect(dialogue.next(fromHex("01ff")).value).toEqual({ state: "done", read: { raw_answer: "01ff" } });
  });

  it("does not know what happened without an answer", () => {
    expect(talk(send(), meter({}))).toMatchObject({
      state: "unknown",
      reason: { kind: "timeout" },
    });
    const dialogue = send();
    dialogue.next();
    expect(() => dialogue.throw(new Error("a bug"))).toThrow("a bug");
  });

  it("has no readings and no device of its own; its bytes are data", () => {
    expect(rawLine).toMatchObject({ kind: "line", protocol: "raw", archives: [] });
    expect(refusalOf(() => rawLine.poll({ kind: "now" }, device))).toMatchObject({ kind: "unsupported" });
    expect(
      rawLine
        .respond(
          device,
          () => 1,
          () => 1,
        )
        .receive(fromHex("01")),
    ).toEqual([]);
    expect(rawLine.explain(fromHex("0102"), fromHex(""))).toEqual({
      sent: [{ offset: 0, bytes: 2, name: "data", value: "0102" }],
      received: [],
    });
  });
});

describe("a dialogue with changed answers", () => {
  const seal = (bytes: Uint8Array) => (bytes.length === 0 ? bytes : bytes.with(-1, 0xee));
  const target = (poll: () => Conversation<unknown>, other?: (answer: Uint8Array) => readonly Uint8Array[]) =>
    sessionTarget({
      name: "two steps",
      poll,
      meter: () => meter({ "01": ["aabb"], "02": ["ccdd"] }),
      seal,
      ...(other ? { other } : {}),
    });
  const two = () => catching(step("01"), step("02"));
  const decoded = (hex: string) => target(two).decode(fromHex(hex));

  it("has the answers of the meter as its seeds, each with its number", () => {
    const seeds = (...given: Parameters<typeof target>) => target(...given).seeds.map(toHex);

    expect(target(two)).toMatchObject({ name: "two steps", isDialogue: true });
    expect(seeds(two)).toEqual(["00aabb", "01ccdd"]);
    expect(seeds(two, (answer) => [answer.subarray(1)])).toEqual(["00aabb", "00bb", "01ccdd", "01dd"]);
    expect(seeds(() => asking(step("01"), step("03")))).toEqual(["00aabb", "01"]);
    expect(() =>
      seeds(() =>
        asking(
          step("01", {
            match: () => {
              throw new Error("a bug");
            },
          }),
        ),
      ),
    ).toThrow("a bug");
  });

  it("gets one changed answer in place of that of the meter, sealed if it is even", () => {
    expect([decoded("001112"), decoded("001113"), decoded("011112"), decoded("031113")]).toEqual([
      "11ee,ccdd",
      "1113,ccdd",
      "aabb,11ee",
      "aabb,1113",
    ]);
    expect([decoded("0011"), decoded("00")]).toEqual(["timeout", "timeout"]);
  });

  it("is read as a line would: by silence, behind noise, without an answer", () => {
    const result = (given: Given, hex: string) =>
      target(() => catching(step("01", given))).decode(fromHex(hex));

    expect(result({ endsBySilence: true }, "0011")).toBe("11");
    expect(result({ endsBySilence: true }, "00")).toBe("timeout");
    expect(result(skipping, "00991113")).toBe("1113");
    expect(result({ ...skipping, endsBySilence: true }, "009911")).toBe("11");
    expect(result({ ...skipping, endsBySilence: true }, "0011")).toBe("timeout");
    expect(result({ match: undefined }, "0011")).toBe("");
    expect(target(reserving).decode(fromHex("00"))).toBe("00000102 00000007");
  });

  it("ends", () => {
    function* endless(): Conversation<never> {
      for (;;) yield step("01");
    }

    expect(() => target(endless).decode(fromHex("001113"))).toThrow("does not end");
  });

  it("identifies a device without a password and with its own", () => {
    const asked: string[] = [];
    const driver = {
      ...rawLine,
      // oxlint-disable-next-line require-yield -- nothing is asked
      identify: function* (_: unknown, as: string): Conversation<object> {
        asked.push(as);
        return { name: as };
      },
    };
    const device = { insideAddr: "", deviceID: "1" };

    expect(converse(identification(driver, device), meter({}))).toEqual([{ name: "open" }, { name: "own" }]);
    expect(converse(identification(rawLine, device), meter({}))).toEqual([]);
    expect(asked).toEqual(["open", "own"]);
  });

  it("has a meter whose values are known", () => {
    const seen: unknown[] = [];
    const driver = {
      ...rawLine,
      respond: (...[, state, now, history]: Parameters<typeof rawLine.respond>): Responder => {
        seen.push(state("in1"), now(), history?.(7200)("in1"));
        return meter({});
      },
    };
    seedMeter(driver, { insideAddr: "", deviceID: "1" }, 5)();

    expect(seen).toEqual([3, 5, 2]);
  });
});
