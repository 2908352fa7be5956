import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { Conversation, Responder } from "../core/conversation.ts";
import type { DeviceAddress, PollRequest } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { converse } from "../core/replay.ts";
import { decodeMercury230, explainMercury } from "./decode.ts";
import { mercury230, mercurySession } from "./driver.ts";
import { closeFrame, matchAnswer } from "./frame.ts";
import type { MercuryOptions } from "./meter.ts";
import { encodeProfileRecord } from "./profile.ts";
import { readInfo, readJournal, readPhaseEnergy } from "./reads.ts";
import { mercuryFuzz } from "./seeds.ts";
import { addressOf, inSession, passwordBytes, type AccessLevel, type MercurySession } from "./session.ts";
import { correctClock, enablePowerLimit, restart, setClock, setPowerLimit, switchLoad } from "./writes.ts";

const now = Date.UTC(2026, 10, 21, 21, 10) / 1000;
const device: DeviceAddress = { insideAddr: "23", deviceID: "00412023" };
const state = (field: string) =>
  field === "power_active" ? -1.5 : field.startsWith("cos") ? 0.95 : 20 + field.length;
const full: MercuryOptions = { keeps: ["aMinus", "rPlus", "rMinus"], profile: { memoryBytes: 65_536 } };

const meter = (options: MercuryOptions = full, of: DeviceAddress = device, clock = () => now) =>
  mercury230(options).respond(of, state, clock);
const poll = (request: PollRequest, options: MercuryOptions = full, responder = meter(options)) =>
  converse(mercury230(options).poll(request, device), responder);
const errorOf = (act: () => unknown): ProtocolError | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  return undefined;
};
const within = <Result>(
  level: AccessLevel,
  work: (session: MercurySession) => Conversation<Result>,
  responder: Responder = meter(),
) => converse(inSession(mercurySession(device, level), work), responder);

const none = (): never => {
  throw new Error("the driver does not ask who it is");
};

describe("a trace", () => {
  it("names what a request asks for, and keeps what it has named of a damaged answer", () => {
    const asked = fromHex("000816118f8a".slice(0, 8));
    const request = closeFrame(0, asked.subarray(1));
    const answer = closeFrame(0, fromHex("0059e4"));

    const { sent, received } = explainMercury(request, answer.with(-1, 0));

    expect(sent.map(({ name }) => name)).toEqual([
      "address",
      "code: read parameter",
      "parameter: momentary values",
      "quantity: voltage",
      "CRC",
    ]);
    expect(received.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(answer.length);
    expect(received.some(({ name }) => name.startsWith("Not decoded: "))).toBe(true);
  });
});

describe("a poll of a Mercury 230", () => {
  it("reads counters by tariff and momentary values with their direction", () => {
    const [counters, states] = poll({ kind: "now" });

    expect(counters).toMatchObject({ msgType: 1, at: null, meterAt: now });
    expect(counters?.values).toMatchObject({ tariff0: 27, tariff4: 27, tariff_reactive_negative0: 45 });
    expect(states?.values).toMatchObject({
      power_active: -1.5,
      voltage3: 28,
      cos0: 0.95,
      Frequency: 29,
      coruu2: 26,
    });
  });

  it("is found without a password, and says number and firmware behind it", () => {
    const heard: string[] = [];
    const real = meter(full, device);
    const responder: Responder = {
      receive: (bytes) => (heard.push(toHex(bytes.subarray(1, -2))), real.receive(bytes)),
    };
    const driver = mercury230(full);

    expect(
      converse(driver.identify?.({ insideAddr: "0", deviceID: "" }, "open") ?? none(), responder),
    ).toEqual({});
    expect(heard).toEqual(["00"]);
    expect(converse(driver.identify?.(device, "own") ?? none(), responder)).toEqual({
      serial: "00412023",
      version: "9.0.2",
    });
  });

  it("leaves out counters that the meter does not keep", () => {
    const [counters] = poll({ kind: "now" }, { tariffs: 2 });

    expect(Object.keys(counters?.values ?? {})).toEqual(["tariff0", "tariff1", "tariff2"]);
  });

  it("leaves out momentary values that the meter does not know", () => {
    const real = meter();
    const old: Responder = {
      receive: (bytes) =>
        toHex(bytes).startsWith("17081651") ? [closeFrame(23, Uint8Array.of(1))] : real.receive(bytes),
    };

    const [, states] = poll({ kind: "now" }, full, old);

    expect(Object.keys(states?.values ?? {})).not.toContain("coruu1");
    expect(states?.values).toHaveProperty("power_apparent");
  });

  it("opens the channel again once when the meter has closed it", () => {
    let at = now;
    const real = meter(full, device, () => at);
    let count = 0;
    const sleepy: Responder = {
      receive: (bytes) => {
        if (++count === 4) at += 300;
        return real.receive(bytes);
      },
    };

    expect(poll({ kind: "now" }, full, sleepy)).toHaveLength(2);
  });

  it("gives up when the channel stays closed", () => {
    const closed: Responder = {
      receive: (bytes) => [closeFrame(23, Uint8Array.of(bytes[1] === 1 || bytes[1] === 2 ? 0 : 5))],
    };

    expect(errorOf(() => poll({ kind: "now" }, full, closed))).toMatchObject({ kind: "refused", detail: 5 });
  });

  it("calls a wrong password by its name and is silent to other addresses", () => {
    const wrong = { ...device, password: "222222" };

    expect(errorOf(() => converse(mercury230().poll({ kind: "now" }, wrong), meter()))?.kind).toBe(
      "bad_password",
    );
    expect(
      errorOf(() => converse(mercury230().poll({ kind: "now" }, { ...device, insideAddr: "24" }), meter()))
        ?.kind,
    ).toBe("timeout");
  });

  it("closes the channel behind a failure", () => {
    const seen: number[] = [];
    const failing: Responder = {
      receive: (bytes) => {
        seen.push(bytes[1] ?? -1);
        return [closeFrame(23, Uint8Array.of(bytes[1] === 4 ? 2 : 0))];
      },
    };

    expect(errorOf(() => poll({ kind: "now" }, full, failing))).toMatchObject({ kind: "refused", detail: 2 });
    expect(seen).toEqual([1, 4, 2]);
  });
});

describe("archives of a Mercury 230", () => {
  it("are the power profile by the start of the interval", () => {
    const from = now - 3 * 1800 - 600;
    const found = poll({ kind: "archive", msgType: 5, from, to: now });

    expect(found.map(({ at }) => at)).toEqual([now - 600 - 5400, now - 600 - 3600, now - 600 - 1800]);
    expect(found[0]).toMatchObject({ msgType: 5, values: { power_a_plus: 32, power_r_minus: 33 } });
  });

  it("are found over the end of the ring", () => {
    const responder = meter();
    const places = 65_536 / 16;
    const wrap = Math.floor((now + 10_800) / 1800 / places) * places * 1800 - 10_800;

    const found = poll({ kind: "archive", msgType: 5, from: wrap - 7200, to: wrap + 7200 }, full, responder);

    expect(found.map(({ at }) => at)).toEqual(Array.from({ length: 8 }, (_, at) => wrap - 7200 + at * 1800));
  });

  it("end after one turn of the ring", () => {
    const found = poll({ kind: "archive", msgType: 5, from: 0, to: now - 80 * 86_400 });

    expect(found.length).toBeGreaterThan(200);
    expect(found[0]?.at).toBe(now - 600 - 4096 * 1800);
  });

  it("are found behind a gap in which the meter was off", () => {
    const end = Date.UTC(2026, 10, 22, 0, 0) / 1000;
    const records = [0, 1, 2, 40, 41, 42].map((back) => end - back * 1800);

    const found = converse(
      mercury230(full).poll({ kind: "archive", msgType: 5, from: 0, to: end - 10_800 - 30 * 1800 }, device),
      scripted(records, 30),
    );

    expect(found.map(({ at }) => at)).toEqual([42, 41, 40].map((back) => end - 10_800 - back * 1800 - 1800));
  });

  it("keep the energy of an hour as two half-hours of its average, and of an incomplete interval", () => {
    const end = Date.UTC(2026, 10, 22, 0, 0) / 1000;

    const found = converse(
      mercury230(full).poll({ kind: "archive", msgType: 5, from: 0, to: end }, device),
      scripted([end], 60),
    );

    expect(found).toMatchObject([
      { at: end - 10_800 - 3600, values: { power_a_plus: 0.5, power_a_minus: null } },
      { at: end - 10_800 - 1800, values: { power_a_plus: 0.5 } },
    ]);
  });

  it("are counters at the start of days and months", () => {
    const daily = poll({ kind: "archive", msgType: 101, from: now - 3 * 86_400, to: now });
    const monthly = poll({ kind: "archive", msgType: 103, from: Date.UTC(2026, 8, 30, 21) / 1000, to: now });

    expect(daily.map(({ at }) => at)).toEqual(
      [20, 21].map((day) => Date.UTC(2026, 10, day - 1, 21) / 1000).map((at) => at + 86_400),
    );
    expect(daily[1]?.values.tariff0).toBeCloseTo(27 * 0.999, 6);
    expect(daily[0]?.values.tariff0).toBeCloseTo(27 * 0.997, 6);
    expect(monthly.map(({ at }) => at)).toEqual(
      [9, 10].map((month) => Date.UTC(2026, month, 1) / 1000 - 10_800),
    );
  });

  it("of a simulated meter with a past are what it showed then", () => {
    const history = (at: number) => () => at / 100_000_000;
    const respond = () => mercury230(full).respond(device, history(now), () => now, history);
    const request = {
      kind: "archive",
      msgType: 103,
      from: Date.UTC(2026, 5, 30, 21) / 1000,
      to: now,
    } as const;

    const monthly = poll(request, full, respond());
    const profile = poll({ ...request, msgType: 5, from: now - 7200 }, full, respond());

    expect(monthly).toHaveLength(5);
    for (const { at, values } of monthly) expect(values.tariff0).toBeCloseTo((at ?? 0) / 100_000_000, 2);
    for (const { at, values } of profile) expect(values.power_a_plus).toBeCloseTo((at ?? 0) / 100_000_000, 1);
  });

  it("that the meter has not are refused without a word on the line", () => {
    expect(errorOf(() => poll({ kind: "archive", msgType: 5, from: 0, to: now }, {}))?.kind).toBe(
      "unsupported",
    );
    expect(errorOf(() => poll({ kind: "archive", msgType: 100, from: 0, to: now }))?.kind).toBe(
      "unsupported",
    );
  });
});

/** A meter whose profile memory holds these records, newest first, below address 0x0100. */
function scripted(ends: readonly number[], periodMinutes: number): Responder {
  const newest = 0x100;
  const answer = (body: Uint8Array): Uint8Array => {
    if (body[0] === 1 || body[0] === 2) return Uint8Array.of(0);
    if (body[0] === 8 && body[1] === 0x12) return Uint8Array.of(0xb4, 0xe4, 0xc2);
    const record = (back: number) => {
      const endLocal = ends[back];
      if (endLocal === undefined) return new Uint8Array(15).fill(0xff);
      const counts = [1000, null, 20, 30];
      return encodeProfileRecord(
        { endLocal, periodMinutes, counts, isIncomplete: true, isWinter: true },
        false,
      );
    };
    if (body[0] === 8) return Uint8Array.from([1, 0, ...record(0).subarray(0, 7)]);
    const address = ((body[2] ?? 0) << 8) | (body[3] ?? 0);
    return record(((((newest - address) / 16) % 4096) + 4096) % 4096);
  };
  return { receive: (bytes) => [closeFrame(23, answer(bytes.subarray(1, -2)))] };
}

describe("a session with a Mercury 230", () => {
  it("reads what the meter says of itself, zeros in front included", () => {
    expect(within(1, readInfo)).toEqual({
      serial: "00412023",
      made: "15.03.25",
      firmware: "9.0.2",
      ku: 1,
      ki: 1,
    });
    expect(within(1, (session) => readPhaseEnergy(session, 0))).toEqual([9000, 9000, 9000]);
    expect(within(1, (session) => readJournal(session, 1, 0))).toEqual({
      beganLocal: Date.UTC(2026, 10, 22) / 1000,
      endedLocal: null,
    });
  });

  it("writes at level 2 and is refused at level 1", () => {
    const works = [
      (session: MercurySession) => setClock(session, now),
      (session: MercurySession) => switchLoad(session, false),
      (session: MercurySession) => setPowerLimit(session, 15),
      (session: MercurySession) => enablePowerLimit(session, true),
      restart,
    ];

    for (const work of works) {
      expect(errorOf(() => within(2, work))).toBeUndefined();
      expect(errorOf(() => within(1, work))).toMatchObject({ kind: "bad_password", detail: 3 });
    }
  });

  it("corrects the clock once a day", () => {
    const responder = meter();
    const correct = (session: MercurySession) => correctClock(session, now + 10_800 + 30);

    expect(errorOf(() => within(1, correct, responder))).toBeUndefined();
    expect(poll({ kind: "now" }, full, responder)[0]?.meterAt).toBe(now + 30);
    expect(errorOf(() => within(1, correct, responder))).toMatchObject({ kind: "refused", detail: 4 });
  });

  it("sends a command once, for it acts", () => {
    const [, sent] = [
      ...stepsOf(inSession(mercurySession(device, 2), (session) => switchLoad(session, false))),
    ];

    expect(sent).toMatchObject({ tries: 1, label: "Switch the load off" });
  });
});

function* stepsOf(conversation: Conversation<unknown>) {
  let turn = conversation.next();
  for (let count = 0; !turn.done && count < 2; count++) {
    yield turn.value;
    turn = conversation.next(closeFrame(23, Uint8Array.of(0)));
  }
}

describe("address and password", () => {
  it("come from the serial number when no address was typed", () => {
    const from = (deviceID: string) => addressOf({ insideAddr: "", deviceID });

    expect([from("00412023"), from("41202300"), from("12345245"), from("12345300")]).toEqual([23, 1, 45, 1]);
    expect(errorOf(() => addressOf({ insideAddr: "240", deviceID: "1" }))?.kind).toBe("unexpected");
  });

  it("are numbers, characters or bytes as the meter is set", () => {
    expect(toHex(passwordBytes(undefined, 1, false))).toBe("010101010101");
    expect(toHex(passwordBytes("", 2, true))).toBe("323232323232");
    expect(toHex(passwordBytes("12ab34", 1, false))).toBe("010261620304");
    expect(toHex(passwordBytes("313131313131", 1, false))).toBe("313131313131");
    expect(errorOf(() => passwordBytes("123", 1, false))?.kind).toBe("unexpected");
  });
});

describe("an answer of a Mercury 230", () => {
  it("is whole at its expected length, or as a status", () => {
    const match = matchAnswer(0, 9);
    const data = fromHex("0000E45900CB5900735AA4FE");

    expect(match(data.subarray(0, 5))).toEqual({ state: "more" });
    expect(match(data)).toEqual({ state: "frame", length: 12 });
    expect(match(fromHex("000001B0"))).toEqual({ state: "frame", length: 4 });
    expect(errorOf(() => match(data.map((byte, at) => (at === 3 ? byte ^ 1 : byte))))?.kind).toBe("checksum");
    expect(errorOf(() => matchAnswer(7, 9)(data))?.kind).toBe("unexpected");
  });

  it("decodes without its request as far as its length tells", () => {
    const energy = fromHex("00BC004E61FFFFFFFF2300CECAFFFFFFFF120C");

    expect(decodeMercury230({ response: energy }).readings.map(({ value }) => value)).toEqual([
      12_345_678,
      null,
      2_345_678,
      null,
    ]);
    expect(decodeMercury230({ response: fromHex("000086132389") }).readings).toEqual([
      { name: "data", value: "008613", unit: "" },
    ]);
    expect(decodeMercury230({ response: closeFrame(1, Uint8Array.of(5)) }).readings).toEqual([
      { name: "status", value: 5, unit: "", function: "channel not open" },
    ]);
  });

  it("is named byte by byte, the password is not told", () => {
    const { sent, received } = explainMercury(fromHex("0001010101010101017781"), fromHex("000001B0"));

    expect(sent.map(({ name, value }) => [name, value])).toEqual([
      ["address", 0],
      ["code: open the channel", 1],
      ["level", 1],
      ["password", null],
      ["CRC", 0x8177],
    ]);
    expect(received.map(({ offset, bytes }) => [offset, bytes])).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
    ]);
    expect(explainMercury(Uint8Array.of(), fromHex("0102")).received).toHaveLength(1);
  });

  it("throws nothing but ProtocolError on changed bytes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...mercuryFuzz.seeds),
        fc.array(fc.nat(), { maxLength: 6 }),
        (seed, changes) => {
          const bytes = Uint8Array.from(seed);
          for (const change of changes) bytes[change % bytes.length] = change >> 8;

          errorOf(() => mercuryFuzz.decode(bytes));
        },
      ),
    );
  });
});
