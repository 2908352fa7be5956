import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { Conversation, Responder } from "../core/conversation.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { mercury230 } from "./driver.ts";
import { afterEcho, closeFrame, matchAnswer } from "./frame.ts";
import { readInfo, readJournal } from "./reads.ts";
import { inSession, mercurySession, passwordBytes, testChannel, type MercurySession } from "./session.ts";
import { answering, bodyOf, device, errorOf, meter, now, stepsOf, within } from "./testMeter.ts";
import { correctClock, restart, setClock, setPowerLimit, switchLoad } from "./writes.ts";

describe("a session", () => {
  it("opens with up to three tries, reads with as many, closes with one", () => {
    const steps = stepsOf(inSession(mercurySession(device, 1), (session) => readJournal(session, 1, 0)));

    expect(steps.map((step) => [step.label, bodyOf(step), step.tries])).toEqual([
      [{ code: "open_channel", level: 1 }, "0101010101010101", 3],
      [{ code: "read_journal", n: "01", record: 0 }, "040100", 3],
      ["close_channel", "02", 1],
    ]);
    for (const step of steps)
      expect(step).toMatchObject({ firstByteMs: 1000, interByteMs: 150, endsBySilence: true });
  });

  it.each<[string, (session: MercurySession) => Conversation<void>, string]>([
    [
      "set_clock",
      (session) => setClock(session, Date.UTC(2026, 10, 22, 0, 10) / 1000),
      "030c0010000722112601",
    ],
    [
      "set_clock",
      (session) => setClock(session, Date.UTC(2026, 10, 23, 9, 8, 7) / 1000, false),
      "030c0708090123112600",
    ],
    ["correct_clock", (session) => correctClock(session, now + 10_800), "030d001000"],
    ["switch_load_on", (session) => switchLoad(session, true), "033101"],
    ["switch_load_off", (session) => switchLoad(session, false), "033100"],
    ["set_power_limit", (session) => setPowerLimit(session, 7.5), "032c0bb071"],
    ["set_power_limit", (session) => setPowerLimit(session, 41.94303), "032c3fffff"],
    ["set_power_limit", (session) => setPowerLimit(session, 0), "032c000000"],
    ["restart", restart, "0316"],
  ])("sends once to %s: %s", (label, work, body) => {
    const [, step] = stepsOf(inSession(mercurySession(device, 2), work));

    expect(step && [step.label, bodyOf(step), step.tries]).toEqual([label, body, 1]);
  });

  it("takes no limit that the meter does not have", () => {
    for (const limit of [-1e-5, 41.94304, Number.NaN])
      expect(() => within(2, (session) => setPowerLimit(session, limit))).toThrow(RangeError);
  });

  it.each([
    ["01", "bad_password", 1],
    ["02", "refused", 2],
    ["03", "bad_password", 3],
    ["05", "bad_password", 5],
    ["0102", "checksum", undefined],
  ])("that the meter answers with %s does not open: %s", (answer, kind, detail) => {
    expect(errorOf(() => within(1, readInfo, answering({ "0101010101010101": answer })))).toMatchObject({
      kind,
      detail,
    });
  });

  it.each([
    ["01", "unsupported", 1],
    ["02", "refused", 2],
    ["03", "bad_password", 3],
    ["04", "refused", 4],
    ["05", "refused", 5],
    ["06", "refused", 6],
    ["00", "refused", 0],
    ["090002ff", "checksum", undefined],
    ["0900", "unexpected", undefined],
  ])("in which a read is answered with %s: %s", (answer, kind, detail) => {
    expect(errorOf(() => within(1, readInfo, answering({ "0803": answer })))).toMatchObject({ kind, detail });
  });

  it.each([
    ["01", "unsupported", 1],
    ["03", "bad_password", 3],
    ["04", "refused", 4],
    ["05", "refused", 5],
    ["0102", "checksum", undefined],
  ])("in which a change is answered with %s: %s", (answer, kind, detail) => {
    expect(errorOf(() => within(2, restart, answering({ "0316": answer })))).toMatchObject({ kind, detail });
  });

  it("is opened anew once in all, not once for each read", () => {
    const isClosed = new Set(["0800", "0803"]);
    const real = meter();
    const forgetful: Responder = {
      receive: (bytes) =>
        isClosed.delete(toHex(bytes.subarray(1, -2)))
          ? [closeFrame(23, Uint8Array.of(5))]
          : real.receive(bytes),
    };

    expect(errorOf(() => within(1, readInfo, forgetful))).toMatchObject({ kind: "refused", detail: 5 });
    expect([...isClosed]).toEqual([]);
  });

  it("is closed without an answer, too", () => {
    const real = meter();
    const silent: Responder = { receive: (bytes) => (bytes[1] === 2 ? [] : real.receive(bytes)) };

    expect(within(1, readInfo, silent)).toMatchObject({ serial: "00412023" });
  });

  it("to address 0 accepts any meter; to another, no other", () => {
    const sent = (address: string, from: number) => {
      const dialogue = testChannel(Number(address));
      dialogue.next();
      return dialogue.next(closeFrame(from, Uint8Array.of(0))).done;
    };

    expect([sent("0", 7), sent("7", 7)]).toEqual([true, true]);
    expect(refusalOf(() => sent("7", 8))).toEqual({ kind: "unexpected", offset: undefined });
  });

  it.each<[string, () => Conversation<unknown>, string]>([
    ["a test", () => testChannel(23), "unexpected"],
    ["an opening", () => inSession(mercurySession(device, 1), readInfo), "bad_password"],
    ["a change", () => restart(mercurySession(device, 2)), "unexpected"],
  ])("has no data for %s", (_, start, kind) => {
    const dialogue = start();
    dialogue.next();

    expect(errorOf(() => dialogue.next(closeFrame(23, Uint8Array.of(1, 2))))).toMatchObject({
      kind,
      detail: undefined,
    });
  });

  it.each([
    ["239", "", 239],
    [" 7 ", "", 7],
    ["0", "", 0],
    ["", "239", 239],
    ["", "240", 40],
    ["", "SN 12", 12],
    ["", "77000", 1],
    [" ", "77300", 1],
  ])("with the address %j and the number %j is with meter %i", (insideAddr, deviceID, address) => {
    expect(mercurySession({ insideAddr, deviceID }, 1).address).toBe(address);
  });

  it.each([
    ["240", "1"],
    ["0001", "1"],
    ["-1", "1"],
    ["a1", "1"],
    ["", ""],
    ["", "none"],
  ])("with the address %j and the number %j is with none", (insideAddr, deviceID) => {
    expect(refusalOf(() => mercurySession({ insideAddr, deviceID }, 1))).toMatchObject({
      kind: "unexpected",
    });
  });

  it("has a password of six printable characters or twelve hexadecimal digits", () => {
    expect(toHex(passwordBytes(" ~1A9z", 1, false))).toBe("207e0141097a");
    expect(toHex(passwordBytes("123456", 2, true))).toBe("313233343536");
    expect(toHex(passwordBytes("0A0b0c0D0e0f", 2, true))).toBe("0a0b0c0d0e0f");
    for (const wrong of ["12345", "1234567", "0102030405060", "010203040506x", "\u001f23456", "12345\u007f"])
      expect(
        refusalOf(() => passwordBytes(wrong, 1, false)),
        wrong,
      ).toMatchObject({ kind: "unexpected" });
    expect(mercury230().factoryPasswords?.map(toHex)).toEqual(["010101010101", "020202020202"]);
    expect(mercury230({ isPasswordAscii: true }).factoryPasswords?.map(toHex)).toEqual([
      "313131313131",
      "323232323232",
    ]);
  });
});

describe("an answer on the line", () => {
  const status = closeFrame(7, Uint8Array.of(5));
  const data = closeFrame(7, fromHex("090002"));

  it("is whole with its data, or as a status with nothing behind it", () => {
    const match = matchAnswer(7, 3);

    expect(match(data)).toEqual({ state: "frame", length: 6 });
    expect(match(Uint8Array.from([...data, 9]))).toEqual({ state: "frame", length: 6 });
    expect(match(data.subarray(0, 5))).toEqual({ state: "more" });
    expect(match(status)).toEqual({ state: "frame", length: 4 });
    expect(match(closeFrame(7, Uint8Array.of(0x0f)))).toEqual({ state: "frame", length: 4 });
    expect(match(closeFrame(7, Uint8Array.of(0x10)))).toEqual({ state: "more" });
    expect(match(status.with(1, 4))).toEqual({ state: "more" });
    expect(match(new Uint8Array())).toEqual({ state: "more" });
    expect(matchAnswer(7, undefined)(data)).toEqual({ state: "more" });
    expect(refusalOf(() => match(Uint8Array.of(8)))).toEqual({ kind: "unexpected", offset: 0 });
    expect(matchAnswer(0, 3)(data)).toEqual({ state: "frame", length: 6 });
    expect(refusalOf(() => match(data.with(2, 1)))).toEqual({ kind: "checksum", offset: 4 });
  });

  it("is what follows an echo, unless the request is as short as a status", () => {
    const sent = closeFrame(7, fromHex("0803"));
    const match = afterEcho(sent, matchAnswer(7, 3));
    const both = Uint8Array.from([...sent, ...data]);

    expect(match(sent.subarray(0, 2))).toEqual({ state: "more" });
    expect(match(sent)).toEqual({ state: "more" });
    expect(match(both.subarray(0, 9))).toEqual({ state: "more", skip: 5 });
    expect(match(both)).toEqual({ state: "frame", length: 6, skip: 5 });
    expect(match(data)).toEqual({ state: "frame", length: 6 });
    expect(match(status)).toEqual({ state: "frame", length: 4 });
    const test = closeFrame(7, Uint8Array.of(0));
    expect(afterEcho(test, matchAnswer(7, 1))(test)).toEqual({ state: "frame", length: 4 });
    const inner = afterEcho(sent, () => ({ state: "frame", length: 1, skip: 2 }));
    expect(inner(both)).toEqual({ state: "frame", length: 1, skip: 7 });
  });
});
