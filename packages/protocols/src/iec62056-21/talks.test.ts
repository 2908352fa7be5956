import { describe, expect, it } from "vitest";
import { stepOf, type Conversation, type Responder, type Step } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse } from "../core/fuzz/replay.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import type { IecLine } from "./exchange.ts";
import { commandBlock, dataBlock } from "./message.ts";
import { inProgramming, readValue, writeValue } from "./programming.ts";
import { callMeter, nameOf, readOut, switchToBinary } from "./signOn.ts";
import { bytesOf, textOf } from "./text.ts";

const line: IecLine = { address: "" };
const identification = "/MTR5SIM\r\n";
const ack = "\x06";
const nak = "\x15";
const p0 = textOf(commandBlock("P0", "(1)"));
const data = (text: string, isLast = true) => textOf(dataBlock(text, { isLast }));
const damaged = data("1.8.0(1)").replace("8", "9");

/** Result or refusal of a dialogue with these answers in turn, then silence, and what it has sent. */
function played(dialogue: Conversation<unknown>, ...answers: string[]) {
  const left = [...answers];
  const steps: Step[] = [];
  const meter: Responder = { receive: () => left.splice(0, 1).map(bytesOf) };
  const noted = (function* (): Conversation<unknown> {
    let turn = dialogue.next();
    while (!turn.done) {
      steps.push(stepOf(turn));
      try {
        turn = dialogue.next(yield turn.value);
      } catch (error) {
        turn = dialogue.throw(error);
      }
    }
    return turn.value;
  })();
  let result: unknown;
  let error: unknown;
  try {
    result = converse(noted, meter);
  } catch (thrown) {
    error = thrown;
  }
  const failure = error instanceof ProtocolError ? [error.kind, error.detail] : undefined;
  return { result, failure, steps, sent: steps.map(({ send }) => textOf(send)) };
}
const inside = (work: () => Conversation<unknown>, of: IecLine = line) => inProgramming(of, {}, work);

describe("an exchange", () => {
  const read = (...answers: string[]) => {
    const { failure, result, sent } = played(
      inside(() => readValue(line, "1.8.0()")),
      identification,
      p0,
      ...answers,
    );
    return { failure, result, sent: sent.slice(2, -1) };
  };
  const request = textOf(commandBlock("R1", "1.8.0()"));

  it("asks again by NAK for what was damaged, and repeats what was not understood or answered", () => {
    const good = data("1.8.0(1)");

    expect(read(good)).toEqual({ result: "1.8.0(1)", sent: [request] });
    expect(read(damaged, good)).toEqual({ result: "1.8.0(1)", sent: [request, nak] });
    expect(read(nak, good)).toEqual({ result: "1.8.0(1)", sent: [request, request] });
    expect(read("", good)).toEqual({ result: "1.8.0(1)", sent: [request, request] });
    expect(read(damaged, nak, good).sent).toEqual([request, nak, request]);
    expect(read(damaged, damaged, damaged, good).sent).toEqual([request, nak, nak, nak]);
    expect(read(damaged, damaged, damaged, damaged)).toMatchObject({ failure: ["checksum", undefined] });
    expect(read(nak, nak, nak, nak)).toMatchObject({ failure: ["refused", undefined], sent: { length: 4 } });
    expect(read()).toMatchObject({ failure: ["timeout", undefined], sent: { length: 4 } });
  });

  it("ends with another message in place of data", () => {
    expect(read(textOf(commandBlock("B0"))).failure).toEqual(["refused", undefined]);
    expect(read(textOf(commandBlock("P0"))).failure).toEqual(["unexpected", undefined]);
    expect(read(ack).failure).toEqual(["unexpected", undefined]);
    expect(read(identification)).toMatchObject({ failure: ["unexpected", undefined], sent: [request] });
  });

  it("joins the parts of an answer, each acknowledged", () => {
    expect(read(data("1.8.0(", false), data("1", false), data(")"))).toEqual({
      ...{ result: "1.8.0(1)", sent: [request, ack, ack] },
    });
    expect(read(data("1.8.0(", false))).toMatchObject({
      failure: ["timeout", undefined],
      sent: [request, ack],
    });
    expect(read(...Array.from({ length: 514 }, () => data("1", false)))).toMatchObject({
      ...{ failure: ["unexpected", undefined], sent: { length: 513 } },
    });
  });

  it.each([
    ["(ERR12)", 12],
    ["(ERR)", undefined],
    ["(ERROR 07)", 7],
    ["(ERROR:3)", 3],
    ["(ER 1234)", 1234],
    ["1.8.0(ERR05)", 5],
    ["(ERR12 no such)", 12],
  ])("with the answer %s is refused with the number %s", (text, detail) => {
    expect(read(data(text)).failure).toEqual(["refused", detail]);
  });

  it("with bare numbers is refused only by a meter that refuses so", () => {
    const bare: IecLine = { ...line, hasBareErrors: true };
    const readBare = (text: string) =>
      played(
        inside(() => readValue(bare, "1.8.0()")),
        identification,
        p0,
        data(text),
      ).failure;

    expect([readBare("(01)"), readBare("(01)\r\n"), readBare("(ERR12)")]).toEqual([
      ["refused", 1],
      ["refused", 1],
      ["refused", 12],
    ]);
    for (const text of ["(1)", "(001)", "1.8.0(01)", "(01)(02)"])
      expect(readBare(text), text).toBeUndefined();
    expect(read(data("(01)")).failure).toBeUndefined();
  });
});

describe("writing", () => {
  const write = (answer: string, command?: string) =>
    played(
      inside(() => writeValue(line, "C.1(2)", command)),
      identification,
      p0,
      answer,
    );

  it("is done when the meter acknowledges, and refused by anything else", () => {
    expect(write(ack)).toMatchObject({ failure: undefined });
    expect(write(ack).sent[2]).toBe(textOf(commandBlock("W1", "C.1(2)")));
    expect(write(ack, "E2").sent[2]).toBe(textOf(commandBlock("E2", "C.1(2)")));
    expect(write(data("(ERR07)")).failure).toEqual(["refused", 7]);
    expect(write(data("C.1(2)")).failure).toEqual(["refused", undefined]);
    expect(write(textOf(commandBlock("B0"))).failure).toEqual(["refused", undefined]);
    expect(write("")).toMatchObject({ failure: ["timeout", undefined], sent: { length: 4 } });
  });
});

describe("the steps", () => {
  const shown = (steps: readonly Step[]) =>
    steps.map(({ label, tries, match, atStartSpeed, speedAfter }) => [
      ...[label, tries, match !== undefined, atStartSpeed, speedAfter],
    ]);
  const none = undefined;

  it("of programming mode are named, and tried as often as they may be", () => {
    const work = function* (): Conversation<void> {
      yield* readValue(line, "1.8.0()");
      yield* readValue(line, "1.8.0(3)", "R5");
      yield* writeValue(line, "C.1(2)");
    };
    const dialogue = inProgramming({ address: "77" }, { password: "1" }, work);
    const { steps, sent, failure } = played(
      dialogue,
      identification,
      p0,
      ack,
      data("1(1)", false),
      data(""),
      data("1(1)"),
      ack,
    );

    expect(failure).toBeUndefined();
    expect(shown(steps)).toEqual([
      [{ code: "sign_on", n: "77" }, 3, true, true, none],
      ["enter_programming", 1, true, true, 9600],
      ["send_password", 1, true, none, none],
      [{ code: "read", what: { code: "data_set", n: "1.8.0" } }, 1, true, none, none],
      ["go_on", 1, true, none, none],
      [{ code: "read", what: { code: "data_set", n: "1.8.0(3)" } }, 1, true, none, none],
      [{ code: "write", what: { code: "data_set", n: "C.1" } }, 1, true, none, none],
      ["break_off", 1, false, none, none],
    ]);
    expect(sent[0]).toBe("/?77!\r\n");
    expect(sent[1]).toBe("\x06051\r\n");
    expect(sent[2]).toBe(textOf(commandBlock("P1", "(1)")));
    // Source: IEC 62056-21, 6.3.14: an answer begins within 1500 ms, a reaction takes at least 200 ms.
    for (const { firstByteMs, interByteMs, reactionMs } of steps)
      expect([firstByteMs, interByteMs, reactionMs]).toEqual([2500, 1500, 200]);
  });

  it("of a read-out are two", () => {
    const { steps, sent, result } = played(readOut(line), identification, data("1.8.0(1)\r\n!\r\n"));

    expect(shown(steps)).toEqual([
      ["sign_on_read_out", 3, true, true, none],
      ["ask_read_out", 1, true, true, 9600],
    ]);
    expect(sent).toEqual(["/?!\r\n", "\x06050\r\n"]);
    expect(result).toEqual({
      identification: {
        kind: "identification",
        manufacturer: "MTR",
        baud: "5",
        isEnhanced: false,
        type: "SIM",
      },
      text: "1.8.0(1)\r\n!\r\n",
    });
  });

  it("of a name are three, of which the second may be without an answer", () => {
    for (const answers of [[identification, p0], [identification]]) {
      const { steps, sent, result } = played(nameOf(line), ...answers);

      expect(shown(steps)).toEqual([
        ["sign_on_any", 3, true, true, none],
        ["enter_programming", 1, true, true, 9600],
        ["break_off", 1, false, none, none],
      ]);
      expect([sent[1], sent[2]]).toEqual(["\x06051\r\n", textOf(commandBlock("B0"))]);
      expect(result).toMatchObject({ manufacturer: "MTR" });
    }
    expect(shown(played(nameOf(line), "/MTRBSIM\r\n").steps).map(([label]) => label)).toEqual([
      ...["sign_on_any", "break_off"],
    ]);
  });

  it("to binary mode are two, of which the answer is a line", () => {
    const { steps, result } = played(switchToBinary(line), identification, "\x06252\r\n");

    expect(shown(steps).map(([label, tries]) => [label, tries])).toEqual([
      ["sign_on_any", 3],
      ["switch_to_binary", 1],
    ]);
    expect(result).toMatchObject({ baud: 9600 });
    const match = (text: string) => steps[1]?.match?.(bytesOf(text));
    expect([match("\x06252\r"), match("\x06252\r\nx"), match("\n")]).toEqual([
      ...[{ state: "more" }, { state: "frame", length: 6 }, { state: "frame", length: 1 }],
    ]);
    expect(played(switchToBinary(line), "/MTRBSIM\r\n").failure).toEqual(["unsupported", none]);
    for (const answer of ["\x06250\r\n", "/MTR5SIM\r\n"])
      expect(played(switchToBinary(line), identification, answer).failure, answer).toEqual([
        "unsupported",
        none,
      ]);
  });
});

describe("signing on", () => {
  it("is refused by anything but an identification", () => {
    for (const dialogue of [callMeter, readOut])
      expect(played(dialogue(line), ack).failure).toEqual(["unexpected", undefined]);
  });

  it("opens programming mode, and needs a password if the meter has one", () => {
    const open = (password: string | undefined, ...answers: string[]) =>
      played(
        inProgramming(line, password === undefined ? {} : { password }, function* () {}),
        ...[identification, ...answers],
      );

    expect(open(undefined, p0)).toMatchObject({ failure: undefined, sent: { length: 3 } });
    expect(open("1", p0, ack).failure).toBeUndefined();
    expect(open("1", p0, data("(ERR11)")).failure).toEqual(["bad_password", 11]);
    expect(open("1", p0, data("(x)")).failure).toEqual(["bad_password", undefined]);
    expect(open("1", p0, textOf(commandBlock("B0"))).failure).toEqual(["bad_password", undefined]);
    for (const answer of [textOf(commandBlock("B0")), data("1.8.0(1)"), ack]) {
      expect(open(undefined, answer).failure, answer).toEqual(["unsupported", undefined]);
      expect(open(undefined, answer).sent.at(-1)).toBe(textOf(commandBlock("B0")));
    }
  });

  it("in modes A and B waits for the block behind the identification", () => {
    const match = (text: string) => stepOf(readOut(line).next()).match?.(bytesOf(text));
    const block = data("1.8.0(1)");

    expect(match("/MTRB")).toEqual({ state: "more", skip: 0 });
    expect(match("x/MTRBSIM\r\n")).toEqual({ state: "more", skip: 1 });
    expect(match(`x/MTRBSIM\r\n${block.slice(0, -1)}`)).toEqual({ state: "more", skip: 1 });
    expect(match(`x/MTRBSIM\r\n${block}x`)).toEqual({ state: "frame", length: 10 + block.length, skip: 1 });
    expect(match(`x/MTR5SIM\r\n${block}`)).toEqual({ state: "frame", length: 10, skip: 1 });
    expect(refusalOf(() => match(`/MTRBSIM\r\n${damaged}`))?.kind).toBe("checksum");
    expect(refusalOf(() => match(`/MTRBSIM\r\n\x02${"x".repeat(65_536)}`))?.kind).toBe("unexpected");
    expect(match(`/MTRBSIM\r\n\x02${"x".repeat(65_525)}`)).toEqual({ state: "more", skip: 0 });
    for (const baud of ["A", "!", "I"])
      expect(played(readOut(line), `/MTR${baud}SIM\r\n${block}`).result).toMatchObject({ text: "1.8.0(1)" });
  });
});
