import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../core/bytes.ts";
import { stepOf, type Conversation, type Step } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { encodeHdlc, parseHdlc } from "./hdlc.ts";
import { hdlcControlName } from "./hdlcControl.ts";
import { hdlcParametersBytes } from "./hdlcParameters.ts";
import { hdlcLink } from "./hdlcLink.ts";
import { defaultLimits, isLost, type LinkRequest } from "./link.ts";
import type { HdlcAddress, HdlcControl, HdlcFrame } from "./frames.ts";
import { encodeWrapper, matchWrapper, parseWrapper, wrapperLength } from "./wrapper.ts";
import { wrapperLink } from "./wrapperLink.ts";

const server: HdlcAddress = { upper: 1, lower: 17, bytes: 2 };
const limits = { answerMs: 3000, interByteMs: 500, tries: 3 };
const client = 32;

const reply = (control: HdlcControl, hex = "", changes: Partial<HdlcFrame> = {}): Uint8Array =>
  encodeHdlc({
    ...{ destination: { upper: client, lower: null, bytes: 1 }, source: server },
    ...{ control, isSegmented: false, information: fromHex(hex), ...changes },
  });
const ua = (hex = "") => reply({ type: "ua", isFinal: true }, hex);
const information = (send: number, receive: number, hex = "e6e700aa", isSegmented = false) =>
  reply({ type: "i", send, receive, isFinal: true }, hex, { isSegmented });
const ready = (receive: number, type: "rr" | "rnr" = "rr") => reply({ type, receive, isFinal: true });
const silence = new ProtocolError("timeout", "no answer");

/** A dialogue with what is received to each of its steps; what it does not wait for is silence. */
function hold<Result>(talk: Conversation<Result>, received: readonly (Uint8Array | ProtocolError)[]) {
  const steps: Step[] = [];
  const left = [...received];
  let turn = talk.next();
  while (turn.done !== true) {
    const step = stepOf(turn);
    steps.push(step);
    const next = left.shift();
    if (next === undefined) throw new Error(`more is sent: ${toHex(step.send)}`);
    if (next instanceof ProtocolError) {
      turn = talk.throw(next);
      continue;
    }
    const match = step.match?.(next);
    if (match?.state !== "frame") turn = talk.throw(silence);
    else turn = talk.next(next.subarray(match.skip, (match.skip ?? 0) + match.length));
  }
  expect(left).toEqual([]);
  return { steps, result: turn.value };
}
const sentOf = (steps: readonly Step[]) =>
  steps.map(({ send }) => {
    const frame = parseHdlc(send);
    return `${hdlcControlName(frame.control)} ${toHex(frame.information)}${frame.isSegmented ? " …" : ""}`;
  });
const labelsOf = (steps: readonly Step[]) => steps.map(({ label }) => label);

const request = (hex: string): LinkRequest => ({
  label: "associate",
  apdu: fromHex(hex),
  isAnswer: () => true,
});

/** A link that is connected to a meter that takes so much in a frame. */
function connected(maxInfoRx = 128) {
  const link = hdlcLink({ client, server, limits });
  hold(link.open(), [ua(toHex(hdlcParametersBytes({ maxInfoTx: 99, maxInfoRx, windowTx: 1, windowRx: 1 })))]);
  return (hex: string, received: readonly (Uint8Array | ProtocolError)[]) =>
    hold(link.ask(request(hex)), received);
}

describe("a connection over HDLC", () => {
  it("is opened by SNRM with or without a size, several times, and ended once", () => {
    const link = hdlcLink({ client, server, limits });
    const sized = hdlcLink({ client, server, limits, maxInfo: 300 });
    const open = hold(link.open(), [ua()]).steps;

    expect(open).toMatchObject([{ label: "connect", firstByteMs: 3000, interByteMs: 500, tries: 3 }]);
    expect(sentOf(open)).toEqual(["SNRM F "]);
    expect(parseHdlc(open[0]?.send ?? new Uint8Array())).toMatchObject({
      destination: server,
      source: { upper: client, lower: null, bytes: 1 },
      isSegmented: false,
    });
    expect(sentOf(hold(sized.open(), [ua()]).steps)).toEqual([
      "SNRM F 8180140502012c0602012c070400000001080400000001",
    ]);
    for (const last of [ua(), reply({ type: "dm", isFinal: true })]) {
      const { steps } = hold(link.close(), [last]);
      expect([sentOf(steps), steps]).toMatchObject([["DISC F "], [{ label: "disconnect", tries: 1 }]]);
    }
    expect(() => hold(link.close(), [ready(0)])).toThrow(silence);
    expect([link.name, link.isReliable]).toEqual(["hdlc", true]);
  });

  it("that the meter refuses is refused, and other frames are no answer to it", () => {
    const open = (...received: Uint8Array[]) => hold(hdlcLink({ client, server, limits }).open(), received);

    expect(() => open(reply({ type: "dm", isFinal: true }))).toThrow(
      expect.objectContaining({ kind: "refused", message: "the meter refuses the connection (DM)" }),
    );
    expect(() => open(ready(0))).toThrow(silence);
    const other = { upper: 33, lower: null, bytes: 1 } as const;
    const own = { type: "ua", isFinal: true } as const;
    expect(() => open(reply(own, "", { destination: other }))).toThrow(silence);
    expect(() => open(reply(own, "", { destination: { ...server, upper: client } }))).toThrow(silence);
    expect(() => open(reply(own, "", { source: { ...server, lower: 18 } }))).toThrow(silence);
  });

  it("begins to count at 0 each time, and counts modulo 8", () => {
    const link = hdlcLink({ client, server, limits });
    for (const _ of [1, 2]) {
      hold(link.open(), [ua()]);
      for (let at = 0; at < 10; at++) {
        const { steps, result } = hold(link.ask(request("c0")), [information(at % 8, (at + 1) % 8)]);
        expect(sentOf(steps)).toEqual([`I N(S)=${String(at % 8)} N(R)=${String(at % 8)} F e6e600c0`]);
        expect(toHex(result)).toBe("aa");
      }
    }
  });

  it.each([
    [16, 16],
    [15, 16],
    [17, 17],
  ])("to a meter that takes %i bytes has %i in a frame", (maxInfoRx, most) => {
    const whole = "00".repeat(most - 3);

    expect(sentOf(connected(maxInfoRx)(whole, [information(0, 1)]).steps)).toHaveLength(1);
    const { steps } = connected(maxInfoRx)(`${whole}ff`, [ready(1), information(0, 2)]);
    expect(sentOf(steps)).toEqual([`I N(S)=0 N(R)=0 F e6e600${whole} …`, "I N(S)=1 N(R)=0 F ff"]);
    expect(labelsOf(steps)).toEqual([
      { code: "associate", fromByte: 0 },
      { code: "associate", fromByte: most },
    ]);
    expect(steps.map(({ tries }) => tries)).toEqual([1, 1]);
  });

  it("without parameters of the meter has 128 bytes in a frame", () => {
    const link = hdlcLink({ client, server, limits });
    hold(link.open(), [ua()]);

    expect(hold(link.ask(request("00".repeat(126))), [ready(1), information(0, 2)]).steps).toHaveLength(2);
  });

  it("acknowledges each part of a long answer", () => {
    const { steps, result } = connected()("c0", [
      information(0, 1, "e6e700aa", true),
      information(1, 1, "bb", true),
      information(2, 1, "cc"),
    ]);

    expect(sentOf(steps)).toEqual(["I N(S)=0 N(R)=0 F e6e600c0", "RR N(R)=1 F ", "RR N(R)=2 F "]);
    expect(labelsOf(steps)).toEqual([
      "associate",
      { code: "associate", segment: 2 },
      { code: "associate", segment: 3 },
    ]);
    expect(toHex(result)).toBe("aabbcc");
  });

  it("cuts off an answer that never ends", () => {
    const part = "00".repeat(2000);
    const endless = Array.from({ length: 200 }, (_, at) => information(at % 8, 1, part, true));

    expect(() => connected()("c0", endless)).toThrow(
      expect.objectContaining({ kind: "unexpected", message: "the answer never ends" }),
    );
  });
});

describe("what is lost over HDLC", () => {
  const asked = "I N(S)=0 N(R)=0 F e6e600c0";
  const state = "RR N(R)=0 F ";

  it("is asked for by the state of the line, and sent again only if it has not come", () => {
    const answered = connected()("c0", [silence, information(0, 1)]);
    const missing = connected()("c0", [silence, ready(0), information(0, 1)]);

    expect(sentOf(answered.steps)).toEqual([asked, state]);
    expect(labelsOf(answered.steps)).toEqual(["associate", { code: "associate", again: "lost" }]);
    expect(sentOf(missing.steps)).toEqual([asked, state, asked]);
    expect(labelsOf(missing.steps)).toEqual([
      "associate",
      { code: "associate", again: "lost" },
      { code: "associate", again: "not_received" },
    ]);
  });

  it.each([
    ["RNR", ready(0, "rnr")],
    ["RR of its number", ready(1)],
    ["RR of another number", ready(5)],
  ])("and answered by %s is only asked for", (_, received) => {
    const { steps } = connected()("c0", [received, information(0, 1)]);

    expect(sentOf(steps)).toEqual([asked, state]);
    expect(labelsOf(steps)[1]).toEqual({ code: "associate", again: "not_ready" });
  });

  it("and three times lost is lost; a meter that is never ready is asked six times", () => {
    const damage = new ProtocolError("checksum", "damaged");

    expect(() => connected()("c0", [silence, damage, silence])).toThrow(silence);
    expect(() => connected()("c0", [silence, silence, information(0, 1)])).not.toThrow();
    const never = Array.from({ length: 6 }, () => ready(1));
    expect(() => connected()("c0", never)).toThrow(
      expect.objectContaining({ kind: "timeout", message: "the meter answers only RR N(R)=1 F" }),
    );
    expect(() => connected()("c0", [...never.slice(1), information(0, 1)])).not.toThrow();
    expect(() => connected()("c0", [...never.slice(2), silence, silence])).toThrow(silence);
  });

  it.each(["dm", "frmr"] as const)("by %s of the meter ends the connection", (type) => {
    expect(() => connected()("c0", [reply({ type, isFinal: true })])).toThrow(
      expect.objectContaining({
        kind: "refused",
        message: `the meter has ended the connection (${type.toUpperCase()})`,
      }),
    );
  });

  it("is not what comes with another number, or is another frame", () => {
    for (const late of [information(1, 1), information(0, 0), ua(), reply({ type: "disc", isFinal: true })]) {
      const { steps } = connected()("c0", [late, information(0, 1)]);
      expect(labelsOf(steps)[1]).toEqual({ code: "associate", again: "lost" });
    }
  });

  it("and an answer before the question is whole is unexpected; a part that is not acknowledged goes again", () => {
    const long = "00".repeat(20);

    expect(() => connected(16)(long, [information(0, 1)])).toThrow(
      expect.objectContaining({ kind: "unexpected", message: "an answer before the question is whole" }),
    );
    const { steps } = connected(16)(long, [ready(0), ready(1, "rnr"), ready(1), information(0, 2)]);
    expect(sentOf(steps).map((each) => each.slice(0, 17))).toEqual([
      "I N(S)=0 N(R)=0 F",
      "I N(S)=0 N(R)=0 F",
      "RR N(R)=0 F ",
      "I N(S)=1 N(R)=0 F",
    ]);
  });

  it("is a time-out or a wrong check, and nothing else", () => {
    const kinds = ["timeout", "checksum", "refused", "unexpected", "unsupported", "bad_password"] as const;

    expect(kinds.filter((kind) => isLost(new ProtocolError(kind, "")))).toEqual(["timeout", "checksum"]);
    expect(isLost(new Error("timeout"))).toBe(false);
    expect(defaultLimits).toEqual({ answerMs: 3000, interByteMs: 500, tries: 3 });
  });
});

describe("the wrapper", () => {
  const whole = fromHex("0001 0001 0020 0002 aabb");
  const frame = { source: 1, destination: 0x20, payload: fromHex("aabb") };

  it("has a version, two ports and a length", () => {
    expect(parseWrapper(whole)).toEqual(frame);
    expect(toHex(encodeWrapper(frame))).toBe(toHex(whole));
  });

  it.each([
    ["0002 0001 0020 0002 aabb", 2, "wrapper version is not 1"],
    ["0001 0001 0020 0003 aabb", 8, "3 bytes wanted, 2 left"],
    ["0001 0001 0020 0001 aabb", 9, "1 bytes after the message"],
  ])("%s is refused at %i", (hex, offset, message) => {
    expect(() => parseWrapper(fromHex(hex), { base: 5 })).toThrow(
      expect.objectContaining({ kind: "unexpected", offset: offset + 5, message }),
    );
  });

  it("begins with its version, and is whole with its last byte", () => {
    expect(wrapperLength(whole)).toBe(10);
    expect(wrapperLength(Uint8Array.from([9, ...whole]), 1)).toBe(10);
    for (const size of [1, 2, 6, 7, 8, 9]) expect(wrapperLength(whole.subarray(0, size))).toBeUndefined();
    expect(wrapperLength(Uint8Array.from([9, ...whole.subarray(0, 1)]), 1)).toBeUndefined();
    expect(wrapperLength(whole.with(0, 1))).toBe(0);
    expect(wrapperLength(whole.with(1, 2))).toBe(0);
    expect(wrapperLength(Uint8Array.from([...whole.with(6, 1), ...new Uint8Array(256)]))).toBe(266);
  });

  it("of another is skipped, and so is noise", () => {
    const isWanted = matchWrapper(({ source }) => source === 1);
    const foreign = encodeWrapper({ ...frame, source: 2 });

    expect(isWanted(Uint8Array.from([7, ...foreign, ...whole]))).toEqual({
      state: "frame",
      skip: 11,
      length: 10,
    });
    expect(isWanted(foreign)).toEqual({ state: "more", skip: 10 });
    expect(isWanted(whole.subarray(0, 3))).toEqual({ state: "more", skip: 0 });
    expect(matchWrapper()(foreign)).toEqual({ state: "frame", skip: 0, length: 10 });
  });

  it("as a link sends once, and takes only the answer of its meter to itself", () => {
    const link = wrapperLink({ client, server }, limits);
    const isAnswer = (apdu: Uint8Array) => apdu[0] === 0xaa;
    const ask = (received: Uint8Array) =>
      hold(link.ask({ label: "associate", apdu: fromHex("c0"), isAnswer }), [received]);
    const { steps, result } = ask(whole);

    expect(toHex(result)).toBe("aabb");
    expect(steps).toMatchObject([{ label: "associate", firstByteMs: 3000, interByteMs: 500, tries: 1 }]);
    expect(toHex(steps[0]?.send ?? [])).toBe("0001002000010001c0");
    for (const other of [
      { ...frame, source: 2 },
      { ...frame, destination: 33 },
      { ...frame, payload: fromHex("bb") },
    ])
      expect(() => ask(encodeWrapper(other))).toThrow(silence);
    expect([hold(link.open(), []).steps, hold(link.close(), []).steps]).toEqual([[], []]);
    expect([link.name, link.isReliable]).toEqual(["wrapper", false]);
  });
});
