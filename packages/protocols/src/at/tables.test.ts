import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import { stepOf, type Conversation, type Step } from "../core/conversation.ts";
import type { Obedience } from "../core/orders.ts";
import { ProtocolError } from "../core/errors.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { readAtClock, writeAtClock } from "./clock.ts";
import { atDriver } from "./driver.ts";
import { atExchange } from "./line.ts";
import { respondAt } from "./responder.ts";

const device = { insideAddr: "", deviceID: "", utcOffsetMinutes: 480 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const refused = (kind: string, message: string, detail?: number): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind, message, detail });
const now = Date.UTC(2026, 1, 2, 4) / 1000;

/** A dialogue in which these texts are received, one for each step. */
function hold<Result>(
  dialogue: Conversation<Result> | undefined,
  ...texts: readonly (string | ProtocolError)[]
) {
  if (!dialogue) throw new Error("no such command");
  const steps: Step[] = [];
  const left = [...texts];
  let turn = dialogue.next();
  while (turn.done !== true) {
    const step = stepOf(turn);
    steps.push(step);
    const next = left.shift() ?? "\r\nERROR\r\n";
    turn = typeof next === "string" ? dialogue.next(bytesOf(next)) : dialogue.throw(next);
  }
  return { result: turn.value, steps, sent: steps.map(({ send }) => textOf(send)) };
}
const command = { label: "connect", body: "+CSQ", tries: 3 } as const;
const clockText = (text: string) => `\r\n+CCLK: "${text}"\r\n\r\nOK\r\n`;
const done = "\r\nOK\r\n";

describe("an AT command", () => {
  it("is a line of its own, and waits for its result", () => {
    const { steps } = hold(atExchange(command), done);

    expect(steps).toMatchObject([{ label: "connect", firstByteMs: 5000, interByteMs: 500, tries: 3 }]);
    expect(toHex(steps[0]?.send ?? [])).toBe("41542b4353510d");
    expect(hold(atExchange(command), `AT+CSQ\r\r\n+CSQ: 1,2\r\n${done}`).result).toBe(
      "AT+CSQ\r\r\n+CSQ: 1,2\r\n",
    );
  });

  /** Source: ITU-T V.250, 5.7.1; 3GPP TS 27.007, 9.1. */
  it.each([
    ["OK\r\n", 4],
    ["\r\nOK\r\n", 6],
    ["AT+CSQ\r\r\n+CSQ: 21,99\r\n\r\nOK\r\nmore", 28],
    ["\r\nERROR\r\n", 9],
    ["\r\n+CME ERROR: 4\r\n", 17],
    ["\r\n+CME ERROR:4\r\n", 16],
    ["\r\n+CME ERROR: SIM busy\r\n", 24],
  ])("is answered by %o, whole with %i bytes", (text, length) => {
    const match = hold(atExchange(command), done).steps[0]?.match;

    expect(match?.(bytesOf(text))).toEqual({ state: "frame", length });
    expect(match?.(bytesOf(text.slice(0, length - 1)))).toEqual({ state: "more" });
  });

  it.each(["", "xOK\r\n", "\r\nOK", "\r\nOKAY\r\n", "+CSQ: OK\r\n"])("is not answered by %o", (text) => {
    expect(hold(atExchange(command), done).steps[0]?.match?.(bytesOf(text))).toEqual({ state: "more" });
  });

  it("is given up after 1024 bytes without a result", () => {
    const match = hold(atExchange(command), done).steps[0]?.match;
    const noise = (size: number, rest = "") => bytesOf("x".repeat(size) + rest);

    expect(match?.(noise(1024))).toEqual({ state: "more" });
    expect(refusalOf(() => match?.(noise(1025)))).toEqual({ kind: "unexpected", offset: undefined });
    expect(match?.(noise(1018, "\r\nOK\r\n"))).toEqual({ state: "frame", length: 1024 });
    expect(refusalOf(() => match?.(noise(1019, "\r\nOK\r\n")))).toMatchObject({ kind: "unexpected" });
  });

  it.each<[string, string, number]>([
    ["ERROR", "refused", 0],
    ["+CME ERROR: 3", "refused", 3],
    ["+CME ERROR:4", "unsupported", 4],
    ["+CME ERROR: 4", "unsupported", 4],
    ["+CME ERROR: 9999", "refused", 9999],
    ["+CME ERROR: 44444", "refused", 0],
    ["+CME ERROR: SIM busy", "refused", 0],
  ])("that is answered by %s is %s", (code, kind, detail) => {
    expect(() => hold(atExchange(command), `\r\n${code}\r\n`)).toThrow(
      refused(kind, `the modem answers ${code}`, detail),
    );
  });
});

describe("the clock of a modem", () => {
  /** Source: 3GPP TS 27.007, 8.15. */
  it.each([
    ['+CCLK: "26/02/28,23:59:59+00"', Date.UTC(2026, 1, 28, 23, 59, 59), 0],
    ['+CCLK:"00/01/01,00:00:00-48"', Date.UTC(2000, 0, 1), -720],
    ['+CCLK: "99/12/31,12:30:15+4"', Date.UTC(2099, 11, 31, 12, 30, 15), 60],
    ['+CCLK: "26/02/28,12:00:00"', Date.UTC(2026, 1, 28, 12), undefined],
  ])("%s is a local time with quarters of an hour", (text, ms, offsetMinutes) => {
    expect(readAtClock(text)).toEqual({ local: ms / 1000, offsetMinutes });
  });

  it.each([
    "26/02/29,00:00:00",
    "26/04/31,00:00:00",
    "26/01/00,00:00:00",
    "26/01/01,24:00:00",
    "26/01/01,00:60:00",
    "26/01/01,00:00:60",
    "26/13/01,00:00:00",
    "26/00/01,00:00:00",
  ])("is no time with %s", (text) => {
    expect(() => readAtClock(`+CCLK: "${text}"`)).toThrow(refused("unexpected", "the clock shows no time"));
  });

  it.each(["", "+CCLK: 26/01/01,00:00:00", '+CCLK: "26/1/01,00:00:00"', '+CCLK: "26/01/01 00:00:00"'])(
    "is none in %o",
    (text) => {
      expect(() => readAtClock(text)).toThrow(refused("unexpected", "the answer holds no clock"));
    },
  );

  it.each([
    [0, "+00"],
    [60, "+04"],
    [-60, "-04"],
    [345, "+23"],
    [7, "+00"],
    [8, "+01"],
    [-720, "-48"],
  ])("%i minutes east of Greenwich has the zone %s", (minutes, zone) => {
    expect(writeAtClock(Date.UTC(2026, 1, 3, 4, 5, 6) / 1000, minutes)).toBe(`"26/02/03,04:05:06${zone}"`);
  });
});

describe("a modem that is read", () => {
  const { commands } = atDriver;

  it("tells its clock, in its zone or in that of its location", () => {
    const zoned = hold(commands.get_datetime?.(device), clockText("26/02/02,12:00:00+32"));
    const bare = hold(commands.get_datetime?.(device), clockText("26/02/02,12:00:00"));
    const { utcOffsetMinutes: _, ...nowhere } = device;

    expect([zoned.result, bare.result]).toEqual([{ device_time: now }, { device_time: now }]);
    expect(hold(commands.get_datetime?.(nowhere), clockText("26/02/02,12:00:00")).result).toEqual({
      device_time: now + 28_800,
    });
    expect(zoned.sent).toEqual(["AT+CCLK?\r"]);
    expect(zoned.steps).toMatchObject([{ label: { code: "read", what: "at_clock" }, tries: 3 }]);
  });

  it.each([
    ["0", -113],
    ["21", -71],
    ["31", -51],
  ])("tells its signal: %s is %i dBm", (level, dbm) => {
    const { result, sent, steps } = hold(commands.signal_level?.(device), `\r\n+CSQ: ${level},99${done}`);

    expect(result).toEqual({ gateway_settings: { signal_level: dbm } });
    expect(sent).toEqual(["AT+CSQ\r"]);
    expect(steps).toMatchObject([{ label: { code: "read", what: "at_signal" }, tries: 3 }]);
  });

  it("may not know its signal, or not tell it", () => {
    expect(hold(commands.signal_level?.(device), `\r\n+CSQ:99,0${done}`).result).toEqual({
      gateway_settings: {},
    });
    expect(() => hold(commands.signal_level?.(device), done)).toThrow(
      refused("unexpected", "the answer holds no signal level"),
    );
    expect(() => hold(commands.signal_level?.(device), `\r\n+CSQ: 5${done}`)).toThrow();
  });

  it("has no readings, and its lines are named as they are", () => {
    expect(() => atDriver.poll({ kind: "now" }, device)).toThrow(
      refused("unsupported", "a modem has no readings"),
    );
    expect(atDriver.explain(bytesOf("AT\r"), bytesOf(""))).toEqual({
      sent: [{ offset: 0, bytes: 3, name: "at_line", value: "41540d" }],
      received: [],
    });
    expect([atDriver.kind, atDriver.protocol, atDriver.archives]).toEqual(["line", "at", []]);
  });
});

describe("a modem that is changed", () => {
  const { commands } = atDriver;
  const read = clockText("26/02/02,12:00:00+32");

  it("is set once, in the zone of its location, and read back", () => {
    const { sent, steps, result } = hold(
      commands.time_set?.(device, { time_set: "2026-02-02 12:00:00" }),
      ...[done, clockText("26/02/02,12:00:02+32")],
    );

    expect(result).toEqual({ state: "done", read: { device_time: now + 2 } });
    expect(sent).toEqual(['AT+CCLK="26/02/02,12:00:00+32"\r', "AT+CCLK?\r"]);
    expect(steps).toMatchObject([{ label: { code: "write", what: "at_clock" }, tries: 1 }, { tries: 3 }]);
    const { utcOffsetMinutes: _, ...nowhere } = device;
    expect(hold(commands.time_set?.(nowhere, { time_set: "2026-02-02 04:00" }), done, read).sent[0]).toBe(
      'AT+CCLK="26/02/02,04:00:00+00"\r',
    );
  });

  it("that reads otherwise has not been set", () => {
    const { result } = hold(
      commands.time_set?.(device, { time_set: "2026-02-02 13:00:00" }),
      ...[done, clockText("26/02/02,12:00:00+32")],
    );

    expect(result).toMatchObject({
      state: "refused",
      reason: { message: "the clock of the device is not what was set" },
    });
  });

  it("is corrected from its second reading on, in its own zone", () => {
    const correct = (...texts: (string | ProtocolError)[]) =>
      hold(commands.time_correct?.(device, { time_correct: 60 }), ...texts);
    const own = correct(read, clockText("26/02/02,12:00:01+16"), done, clockText("26/02/02,12:01:02+16"));

    expect(own.sent).toEqual(["AT+CCLK?\r", "AT+CCLK?\r", 'AT+CCLK="26/02/02,12:01:01+16"\r', "AT+CCLK?\r"]);
    expect(own.result).toEqual({ state: "done", read: { device_time: now + 62 + 14_400 } });
    const bare = clockText("26/02/02,12:00:00");
    expect(correct(bare, bare, done, bare).sent[2]).toBe('AT+CCLK="26/02/02,12:01:00+32"\r');
    expect(correct(read, read, done, read).result).toMatchObject({
      state: "refused",
      reason: { message: "the clock of the device is not what was set" },
    });
    const { sent, result } = correct(read, read, "\r\n+CME ERROR: 3\r\n");
    expect([sent.length, result]).toMatchObject([3, { state: "refused", reason: { detail: 3 } }]);
    const { utcOffsetMinutes: _, ...nowhere } = device;
    expect(hold(commands.time_correct?.(nowhere, { time_correct: 60 }), bare, bare, done, bare).sent[2]).toBe(
      'AT+CCLK="26/02/02,12:01:00+00"\r',
    );
  });

  it("is not read back if the answer to a correction is lost: the time that it took is not known", () => {
    const { sent, result } = hold(
      commands.time_correct?.(device, { time_correct: 60 }),
      ...[read, read, new ProtocolError("timeout", "no answer"), clockText("26/02/02,12:01:00+32")],
    );

    expect([sent.length, result]).toMatchObject([3, { state: "unknown", reason: { kind: "timeout" } }]);
  });

  it("is restarted by one command", () => {
    const { sent, steps } = hold(commands.reset?.(device), done);

    expect(sent).toEqual(["AT+CFUN=1,1\r"]);
    expect(steps).toMatchObject([{ label: { code: "at_restart" }, tries: 1 }]);
  });
});

describe("a simulated modem", () => {
  const modem = (does: Obedience = "obey", own: Partial<typeof device> = device) =>
    respondAt(
      { insideAddr: "", deviceID: "", ...own },
      () => now,
      () => does,
    );
  const say = (meter: ReturnType<typeof modem>, text: string) => meter.receive(bytesOf(text)).map(textOf);

  it.each([
    ["AT+CCLK?", '+CCLK: "26/02/02,12:00:00+32"\r\n\r\nOK'],
    ["AT+CSQ", "+CSQ: 21,99\r\n\r\nOK"],
    ["AT+CFUN=1,1", "OK"],
    ["AT+CFUN=0", "ERROR"],
    ['AT+CTZU="26/02/02,13:00:00+32"', "ERROR"],
    ['AT+CCLK="26/02/30,00:00:00+00"', "ERROR"],
    ['AT+CCLK="26/02/02,12:00:00+32"', "OK"],
  ])("answers %s with its echo", (line, answer) => {
    expect(say(modem(), `${line}\r`)).toEqual([`${line}\r\r\n${answer}\r\n`]);
  });

  it("answers whole lines, one by one, and none to an empty one", () => {
    const meter = modem();

    expect(say(meter, "AT+")).toEqual([]);
    expect(say(meter, "CSQ\rAT+CSQ\r")).toHaveLength(2);
    expect(say(meter, "\n \r")).toEqual([""]);
    expect(say(meter, "\n AT+CSQ \r")[0]).toMatch(/^AT\+CSQ\r/);
    expect(say(meter, "x".repeat(1022))).toEqual([]);
    expect(say(meter, "AT\r")[0]).toMatch(/^x{1021}AT\r/);
  });

  it("keeps a time that it is set to, and its zone, if it obeys", () => {
    const clockAfter = (does: Obedience, text: string) => {
      const meter = modem(does);
      say(meter, `AT+CCLK="${text}"\r`);
      return /"(.*)"/.exec(say(meter, "AT+CCLK?\r")[0] ?? "")?.[1];
    };

    expect(clockAfter("obey", "26/02/02,13:00:05+16")).toBe("26/02/02,13:00:05+16");
    expect(clockAfter("obey", "26/02/02,13:00:05")).toBe("26/02/02,13:00:05+32");
    expect(clockAfter("lie", "26/02/02,13:00:05+16")).toBe("26/02/02,12:00:00+32");
    expect(say(modem("refuse"), 'AT+CCLK="26/02/02,13:00:05+16"\r')[0]).toContain("+CME ERROR: 3");
    expect(say(modem("obey", {}), "AT+CCLK?\r")[0]).toContain('"26/02/02,04:00:00+00"');
    const twice = modem();
    say(twice, 'AT+CCLK="26/02/02,13:00:00+32"\r');
    say(twice, 'AT+CCLK="26/02/02,13:30:00+32"\r');
    expect(say(twice, "AT+CCLK?\r")[0]).toContain('"26/02/02,13:30:00+32"');
  });

  it("tells by how many seconds its clock is moved", () => {
    const orders: unknown[] = [];
    const meter = respondAt(
      device,
      () => now,
      (order) => (orders.push(order), "obey"),
    );
    for (const line of ['AT+CCLK="26/02/02,12:00:10+32"', 'AT+CCLK="26/02/02,12:00:05+32"', "AT+CFUN=1,1"])
      say(meter, `${line}\r`);

    expect(orders).toEqual([
      { kind: "clock", seconds: 10 },
      { kind: "clock", seconds: -5 },
      { kind: "restart" },
    ]);
  });
});
