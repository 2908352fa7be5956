import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import type { Conversation, Responder, Step } from "../core/conversation.ts";
import { stepOf } from "../core/conversation.ts";
import type { PollRequest } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse } from "../core/fuzz/replay.ts";
import { iec62056 } from "./driver.ts";
import type { IecOptions } from "./options.ts";
import { commandBlock, dataBlock, parseMessage } from "./message.ts";
import { inProgramming, readValue, writeValue } from "./programming.ts";
import { callMeter, readOut, switchToBinary } from "./signOn.ts";
import { bytesOf, textOf, withEvenParity, withoutParity } from "./text.ts";

const now = Date.UTC(2026, 10, 21, 21, 10) / 1000;
const device = { insideAddr: "", deviceID: "12345678" };
const line = { address: "" };
const state = (field: string) => 100 + field.length;
const options: IecOptions = {
  access: "readout",
  manufacturer: "MTR",
  type: "SIM",
  utcOffsetMinutes: 60,
  clock: { date: "0.9.2", time: "0.9.1" },
  billing: { stamp: "0.1.2" },
  rows: [
    { obis: "1.8.0", field: "tariff0", isBilled: true },
    { obis: "1.8.1", field: "tariff1" },
    { obis: "32.7.0", field: "voltage1" },
    { obis: "1.7.0", field: "power_active", unit: "W" },
    { obis: "0F8080FF", field: "tariff2", part: 0, unit: "kWh" },
    { obis: "0F8080FF", field: "tariff3", part: 1, unit: "kWh" },
  ],
};
const programmed: IecOptions = {
  ...options,
  access: { reads: ["1.8.0()", "9.9.9()", "32.7.0()"], password: "777777" },
};

const meter = (of = options, address = device) => iec62056(of).respond(address, state, () => now);
const poll = (of = options, request: PollRequest = { kind: "now" }, responder = meter(of)) =>
  converse(iec62056(of).poll(request, device), responder);
const errorOf = (act: () => unknown): ProtocolError | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  return undefined;
};
/** Answers in turn; keeps what was sent. */
const scripted = (...answers: Uint8Array[]): Responder & { sent: string[] } => {
  const left = [...answers];
  const sent: string[] = [];
  return {
    sent,
    receive: (bytes) => {
      sent.push(textOf(bytes));
      return left.splice(0, 1);
    },
  };
};
const identification = bytesOf("/MTR5SIM\r\n");
const damaged = (block: Uint8Array) => block.map((byte, at) => (at === 2 ? byte ^ 1 : byte));

describe("a read-out", () => {
  it("has counters and states in units of the vocabulary with the meter's clock", () => {
    expect(poll()).toEqual([
      {
        msgType: 1,
        at: null,
        meterAt: now,
        values: { tariff0: 107, tariff1: 107, tariff2: 107, tariff3: 107 },
      },
      { msgType: 2, at: null, meterAt: now, values: { voltage1: 108, power_active: 112 } },
    ]);
  });

  it("has billing values as the monthly archive", () => {
    const found = poll(options, {
      kind: "archive",
      msgType: 103,
      from: Date.UTC(2026, 9, 1) / 1000 - 3600,
      to: now,
    });

    expect(found.map(({ at, values }) => [at, values.tariff0])).toEqual([
      [Date.UTC(2026, 9, 1) / 1000 - 3600, 102.72],
      [Date.UTC(2026, 10, 1) / 1000 - 3600, 104.86],
    ]);
    expect(errorOf(() => poll(options, { kind: "archive", msgType: 5, from: 0, to: now }))?.kind).toBe(
      "unsupported",
    );
  });

  it("accepts the meter's offer, or stays at the speed of a line that cannot change", () => {
    const fixed = scripted(identification, dataBlock("1.8.0(1*kWh)\r\n!\r\n"));
    converse(readOut({ ...line, fixedBaud: 300 }), fixed);
    const offered = scripted(identification, dataBlock("1.8.0(1*kWh)\r\n!\r\n"));
    converse(readOut(line), offered);

    expect([fixed.sent[1], offered.sent[1]]).toEqual(["\x06000\r\n", "\x06050\r\n"]);
  });

  it("of modes A and B follows the identification at once", () => {
    const whole = Uint8Array.from([...bytesOf("/MTRBSIM\r\n"), ...dataBlock("1.8.0(1*kWh)\r\n!\r\n")]);

    expect(converse(readOut(line), scripted(whole)).text).toContain("1.8.0");
    const step = stepOf(readOut(line).next());
    expect(step.match?.(whole.subarray(0, 20))).toMatchObject({ state: "more" });
    expect(step.match?.(whole)).toMatchObject({ state: "frame", length: whole.length });
  });

  it("works over a line that carries parity as a data bit", () => {
    const seven: IecOptions = { ...options, evenParity: true };

    expect(poll(seven)).toEqual(poll());
    expect(toHex(withEvenParity(bytesOf("/?!\r\n")))).toBe("af3f218d0a");
    expect(textOf(withoutParity(withEvenParity(bytesOf("/?!\r\n"))))).toBe("/?!\r\n");
  });

  it("is requested again when damaged, three times at most", () => {
    const good = dataBlock("1.8.0(1*kWh)\r\n!\r\n");
    const once = scripted(identification, damaged(good), good);
    const never = scripted(identification, ...Array.from({ length: 9 }, () => damaged(good)));

    expect(converse(readOut(line), once).text).toContain("1.8.0");
    expect(once.sent[2]).toBe("\x15");
    expect(errorOf(() => converse(readOut(line), never))?.kind).toBe("checksum");
    expect(never.sent.filter((text) => text === "\x15")).toHaveLength(3);
  });

  it("is not answered by a meter with another serial number", () => {
    const responder = meter();

    expect(responder.receive(bytesOf("/?999!\r\n"))).toEqual([]);
    expect(responder.receive(bytesOf("noise\x00/?12345678!\r\n"))).toHaveLength(1);
  });
});

describe("programming mode", () => {
  const inside = <R>(work: () => Conversation<R>, responder = meter(programmed), password = "777777") =>
    converse(inProgramming(line, { password }, work), responder);

  it("reads the named registers and omits those refused by the meter", () => {
    expect(poll(programmed).map(({ values }) => values)).toEqual([{ tariff0: 107 }, { voltage1: 108 }]);
  });

  it("reports a wrong password with the error number, and reads before the password", () => {
    expect(errorOf(() => inside(() => readValue(line, "1.8.0()"), meter(programmed), "1"))).toMatchObject({
      kind: "bad_password",
      detail: 11,
    });
    expect(
      errorOf(() =>
        converse(
          inProgramming(line, {}, () => readValue(line, "1.8.0()")),
          meter(programmed),
        ),
      ),
    ).toMatchObject({ kind: "refused", detail: 15 });
  });

  it("identifies the meter without a password, and is left for the next sign-on", () => {
    const requests: string[] = [];
    const real = meter({ ...programmed, type: "CE301v11" });
    const responder: Responder = {
      receive: (bytes) => (requests.push(textOf(bytes)), real.receive(bytes)),
    };
    const dialogue = iec62056(programmed).identify?.(device, "open");

    expect(dialogue && converse(dialogue, responder)).toEqual({ name: "MTR CE301v11", version: "11" });
    expect(requests.filter((each) => each.includes("P1"))).toEqual([]);
    expect(requests.at(-1)).toContain("B0");
    expect(poll(programmed, { kind: "now" }, responder)).toHaveLength(2);
  });

  it("joins partial blocks and writes values", () => {
    const responder = meter(programmed);
    const long = `C.1(${"7".repeat(450)})`;

    inside(() => writeValue(line, long), responder);

    expect(inside(() => readValue(line, "C.1()"), responder)).toBe(long);
    expect(errorOf(() => inside(() => readValue(line, "9.9.9()"), responder))).toMatchObject({
      kind: "refused",
      detail: 12,
    });
  });

  it("repeats a message that the meter did not understand and ends with a break", () => {
    const responder = scripted(
      identification,
      commandBlock("P0", "(1)"),
      Uint8Array.of(0x15),
      Uint8Array.of(0x06),
      dataBlock("1.8.0(1*kWh)"),
    );

    expect(inside(() => readValue(line, "1.8.0()"), responder)).toBe("1.8.0(1*kWh)");
    expect(responder.sent[2]).toBe(responder.sent[3]);
    expect(responder.sent.at(-1)).toBe("\x01B0\x03q");
  });

  it("answers a seed with the manufacturer's cipher", () => {
    const responder = scripted(identification, commandBlock("P0", "(42)"), Uint8Array.of(0x06));
    const access = { password: "7", cipher: (seed: string, password: string) => `${seed}/${password}` };

    converse(
      inProgramming(line, access, function* () {}),
      responder,
    );

    expect(responder.sent[2]).toBe(textOf(commandBlock("P2", "(42/7)")));
  });

  it("does not repeat a write without a reply", () => {
    const responder = scripted(identification, commandBlock("P0", "(1)"), Uint8Array.of(0x06));

    expect(errorOf(() => inside(() => writeValue(line, "C.1(2)"), responder))?.kind).toBe("timeout");
    expect(responder.sent.filter((text) => text.includes("W1"))).toHaveLength(1);
  });
});

describe("the speed of a line", () => {
  /** Steps of a dialogue with a simulated meter. */
  function stepsOf(conversation: Conversation<unknown>, responder: Responder): Step[] {
    const steps: Step[] = [];
    let turn = conversation.next();
    while (!turn.done) {
      const step = stepOf(turn);
      steps.push(step);
      turn = conversation.next(Uint8Array.from(responder.receive(step.send).flatMap((part) => [...part])));
    }
    return steps;
  }
  const speeds = (steps: readonly Step[]) =>
    steps.map(({ atStartSpeed, speedAfter }) => [atStartSpeed ?? false, speedAfter]);

  it("is the offered one as soon as it is acknowledged", () => {
    const readout = meter();

    expect(speeds(stepsOf(iec62056(options).poll({ kind: "now" }, device), readout))).toEqual([
      [true, undefined],
      [true, 9600],
    ]);
    expect(readout.baud?.()).toBe(9600);
    expect(
      speeds(stepsOf(iec62056(programmed).poll({ kind: "now" }, device), meter(programmed))).slice(0, 3),
    ).toEqual([
      [true, undefined],
      [true, 9600],
      [false, undefined],
    ]);
    expect(speeds(stepsOf(switchToBinary(line), meter()))).toEqual([
      [true, undefined],
      [true, 9600],
    ]);
  });

  it("stays the configured one, which is sent to the meter", () => {
    const fixed = { ...device, fixedBaud: 2400 };
    const responder = meter();

    const steps = stepsOf(iec62056(options).poll({ kind: "now" }, fixed), responder);

    expect(speeds(steps)).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    expect(textOf(steps[1]?.send ?? bytesOf(""))).toBe("\x06030\r\n");
    expect(responder.baud?.()).toBe(2400);
    const odd = iec62056(options).poll({ kind: "now" }, { ...device, fixedBaud: 38_400 });
    expect(errorOf(() => converse(odd, meter()))).toMatchObject({
      kind: "unsupported",
      message: "38400 baud has no character in mode C",
    });
  });

  it("is that of the sign-on when the acknowledgement is repeated, and kept when the answer is repeated", () => {
    const conversation = readOut(line);
    conversation.next();
    const first = stepOf(conversation.next(identification));
    const damaged = stepOf(conversation.throw(new ProtocolError("checksum", "damaged")));
    const lost = stepOf(conversation.throw(new ProtocolError("timeout", "no answer")));

    expect(speeds([first, damaged, lost])).toEqual([
      [true, 9600],
      [false, undefined],
      [true, 9600],
    ]);
    expect([first, damaged, lost].map(({ send }) => textOf(send))).toEqual([
      "\x06050\r\n",
      "\x15",
      "\x06050\r\n",
    ]);
  });

  it("is again that of the sign-on after a break", () => {
    const responder = meter(programmed);

    expect(poll(programmed, { kind: "now" }, responder)).toHaveLength(2);

    expect(responder.baud?.()).toBe(300);
  });
});

describe("mode E", () => {
  it("hands the line over after the meter has confirmed", () => {
    const responder = meter();

    expect(converse(switchToBinary(line), responder)).toMatchObject({
      baud: 9600,
      identification: { manufacturer: "MTR" },
    });
    const silent = scripted(identification, bytesOf("\x06050\r\n"));
    expect(errorOf(() => converse(switchToBinary(line), silent))?.kind).toBe("unsupported");
    expect(silent.sent[1]).toBe("\x06252\r\n");
    expect(parseMessage(bytesOf("/KFM5\\2MA304\r\n"))).toMatchObject({ isEnhanced: true, type: "MA304" });
    expect(errorOf(() => converse(callMeter(line), scripted(bytesOf("\x06050\r\n"))))?.kind).toBe(
      "unexpected",
    );
  });
});
