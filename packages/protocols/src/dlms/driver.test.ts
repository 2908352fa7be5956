import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isReservation, type Conversation, type Responder, type Step } from "../core/conversation.ts";
import { ByteWriter } from "../core/bytes.ts";
import type { DeviceAddress, IdentifyAs, MeterState } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { dlms } from "./driver.ts";
import { readObjectList } from "./objects/association.ts";
import {
  readCalendar,
  readSpecialDays,
  writeCalendar,
  writeSpecialDays,
  type Calendar,
} from "./objects/calendar.ts";
import { readClock, setClock, shiftClock } from "./objects/clock.ts";
import { readLimiter, readRelay, setLimiter, switchRelay } from "./objects/control.ts";
import { readEvents } from "./objects/events.ts";
import type { Authentication, DlmsOptions } from "./options.ts";
import type { Manners } from "./responder/meter.ts";
import { dlmsResponder } from "./responder/responder.ts";
import { spodes } from "./spodes.ts";

const now = Date.UTC(2026, 10, 20, 12, 10) / 1000;
const day = 86_400;
const device: DeviceAddress = {
  insideAddr: "17",
  deviceID: "41200042",
  password: "Gurux",
  keys: {
    encryption: "000102030405060708090a0b0c0d0e0f",
    authentication: "d0d1d2d3d4d5d6d7d8d9dadbdcdddedf",
  },
};

/** 2 kW, 0.5 kvar, counted since an origin. */
const stateAt =
  (at: number): MeterState =>
  (field) => {
    const hours = (at - Date.UTC(2026, 0, 1) / 1000) / 3600;
    const shown: Record<string, number> = {
      tariff0: 2 * hours,
      tariff1: 1.5 * hours,
      tariff_reactive0: 0.5 * hours,
      power_active: 2,
      voltage1: 231.4,
      current1: 8.75,
      Frequency: 50.02,
    };
    return shown[field] ?? 0;
  };

const authentications = {
  none: { kind: "none" },
  lls: { kind: "lls" },
  gmac: { kind: "gmac", counter: { obis: "0.0.43.1.0.255", client: 16 } },
} as const satisfies Record<string, Authentication>;

function options(changes: Partial<DlmsOptions> = {}): DlmsOptions {
  return {
    transport: "hdlc",
    client: 32,
    authentication: authentications.lls,
    server: { logical: 1, bytes: 4, physical: "insideAddr" },
    resource: "electricity",
    registers: [
      { msgType: 1, obis: "1.0.1.8.0.255", field: "tariff0" },
      { msgType: 1, obis: "1.0.1.8.1.255", field: "tariff1" },
      { msgType: 1, obis: "1.0.3.8.0.255", field: "tariff_reactive0", classId: 4 },
      { msgType: 2, obis: "1.0.1.7.0.255", field: "power_active" },
      { msgType: 2, obis: "1.0.32.7.0.255", field: "voltage1" },
      { msgType: 2, obis: "1.0.31.7.0.255", field: "current1", classId: 5 },
      { msgType: 2, obis: "1.0.14.7.0.255", field: "Frequency" },
    ],
    profiles: [
      {
        msgType: 5,
        obis: "1.0.99.1.0.255",
        columns: [{ obis: "1.0.1.4.0.255", field: "power_a_plus" }],
        period: "asked",
        rowsAtOnce: 40,
      },
      {
        msgType: 101,
        obis: "1.0.98.2.0.255",
        columns: [{ obis: "1.0.1.8.0.255", field: "tariff0" }],
        period: day,
      },
    ],
    journals: [{ obis: "0.0.99.98.2.255" }, { obis: "0.0.99.98.4.255", byEntry: 2 }],
    clock: { utcOffsetMinutes: 480 },
    ...changes,
  };
}

function aMeter(of: DlmsOptions, manners: Manners = {}, own: DeviceAddress = device): Responder {
  return dlmsResponder({
    options: of,
    device: own,
    state: stateAt(now),
    now: () => now,
    history: stateAt,
    manners,
  });
}

/** A line between client and meter; `spoil` may lose, change or repeat what the meter says. Retries as the runner does. */
function talk<Result>(
  dialogue: Conversation<Result>,
  meter: Responder,
  line: {
    spoil?: (reply: Uint8Array, n: number) => Uint8Array[];
    loseRequest?: (n: number) => boolean;
    reserved?: number[];
  } = {},
): Result {
  let asked = 0;
  const next = { first: 1 };
  const once = (step: Step): Uint8Array => {
    asked += 1;
    if (line.loseRequest?.(asked)) throw new ProtocolError("timeout", "lost on the way");
    const replies = meter.receive(step.send);
    const heard = replies.flatMap((each) => line.spoil?.(each, asked) ?? [each]);
    if (!step.match) return new Uint8Array();
    const received = Uint8Array.from(heard.flatMap((each) => [...each]));
    const match = step.match(received);
    const skip = match.skip ?? 0;
    if (match.state === "frame") return received.subarray(skip, skip + match.length);
    throw new ProtocolError("timeout", "no answer");
  };
  const reply = (step: Step): Uint8Array => {
    for (let attempt = 1; ; attempt++) {
      try {
        return once(step);
      } catch (error) {
        if (!(error instanceof ProtocolError) || attempt >= step.tries) throw error;
      }
    }
  };
  let turn = dialogue.next();
  while (!turn.done) {
    const { value } = turn;
    if (isReservation(value)) {
      const first = Math.max(next.first, value.atLeast);
      next.first = first + value.count;
      line.reserved?.push(first);
      turn = dialogue.next(new ByteWriter(4).u32be(first).finish());
      continue;
    }
    let received: Uint8Array;
    try {
      received = reply(value);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      turn = dialogue.throw(error);
      continue;
    }
    turn = dialogue.next(received);
  }
  return turn.value;
}

const failureOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

const shown = {
  counters: { tariff0: 15_528.333, tariff1: 11_646.25, tariff_reactive0: 3882.083 },
  moments: { power_active: 2, voltage1: 231.4, current1: 8.75, Frequency: 50.02 },
};
const expectNow = [
  { msgType: 1, at: null, meterAt: now, values: shown.counters },
  { msgType: 2, at: null, meterAt: now, values: shown.moments },
];
const yesterday = {
  kind: "archive",
  msgType: 5,
  from: now - (now % day) - day,
  to: now - (now % day),
} as const;

const combinations = (["hdlc", "wrapper"] as const).flatMap((transport) =>
  (["none", "lls", "gmac"] as const).flatMap((proof) =>
    [
      { maxInfo: 128, maxPdu: 1024 },
      { maxInfo: 32, maxPdu: 128 },
      { maxInfo: 1024, maxPdu: 0xffff },
    ].map((sizes) => ({ transport, proof, ...sizes })),
  ),
);

describe("client and simulated meter", () => {
  it.each(combinations)(
    "$transport, $proof, frames of $maxInfo, messages of $maxPdu: values, profile, journal",
    (each) => {
      const of = options({
        transport: each.transport,
        authentication: authentications[each.proof],
        maxInfo: each.maxInfo,
      });
      const manners: Manners = { ...each, events: [{ journal: "0.0.99.98.2.255", at: now - 3600, code: 5 }] };
      const driver = dlms(of);
      const meter = aMeter(of, manners);

      const values = talk(driver.poll({ kind: "now" }, device), meter);
      const profile = talk(driver.poll(yesterday, device), meter);
      const days = talk(
        driver.poll({ ...yesterday, msgType: 101, from: now - 5 * day, to: now }, device),
        meter,
      );
      const events = talk(driver.poll({ ...yesterday, msgType: 7, to: now }, device), meter);

      expect(values).toEqual(expectNow);
      expect(profile).toHaveLength(48);
      expect(profile[0]).toEqual({
        msgType: 5,
        at: yesterday.from,
        meterAt: yesterday.from + 1800,
        values: { power_a_plus: 2 },
      });
      expect(days).toHaveLength(5);
      expect(days.every(({ at }) => ((at ?? 0) + 480 * 60) % day === 0)).toBe(true);
      expect(events).toEqual([
        { msgType: 7, at: now - 3600, meterAt: now - 3600, values: { status_code: 5 } },
      ]);
    },
  );

  it.each(["sparse", "compact"] as const)("rows that are %s give the same profile", (rows) => {
    const driver = dlms(options());

    const whole = talk(driver.poll(yesterday, device), aMeter(options()));

    expect(talk(driver.poll(yesterday, device), aMeter(options(), { rows }))).toEqual(whole);
  });

  it("a profile read by position gives the same rows", () => {
    const table = options().profiles?.[0];
    const of = options({ profiles: table ? [{ ...table, access: "entry" }] : [] });

    const whole = talk(dlms(options()).poll(yesterday, device), aMeter(options()));

    expect(talk(dlms(of).poll(yesterday, device), aMeter(of))).toEqual(whole);
  });

  it("a wrong password is refused with the diagnostic, wrong keys as well, and no keys at once", () => {
    const gmac = options({ authentication: authentications.gmac });
    const wrongKeys = { ...device, keys: { encryption: "11".repeat(16), authentication: "22".repeat(16) } };

    const wrong = failureOf(() =>
      talk(dlms(options()).poll({ kind: "now" }, { ...device, password: "x" }), aMeter(options())),
    );
    const keys = failureOf(() => talk(dlms(gmac).poll({ kind: "now" }, wrongKeys), aMeter(gmac)));
    const none = failureOf(() =>
      talk(dlms(gmac).poll({ kind: "now" }, { insideAddr: "17", deviceID: "1" }), aMeter(gmac)),
    );

    expect(wrong).toMatchObject({ kind: "bad_password", detail: 13 });
    expect(keys).toMatchObject({ name: "ProtocolError" });
    expect(none).toMatchObject({ kind: "bad_password" });
  });

  it("anybody is told the serial number without a password; the firmware stands behind it", () => {
    const of = options({ authentication: authentications.lls });
    const meter = aMeter(of);
    const ask = (device_: DeviceAddress, as: IdentifyAs) => {
      const asked = dlms(of).identify?.(device_, as);
      return asked && talk(asked, meter);
    };
    const { password: _, ...stranger } = device;

    expect(ask(stranger, "open")).toEqual({ serial: "41200042" });
    expect(ask(device, "own")).toEqual({ serial: "41200042", version: "1.0.7" });
    expect(() => ask(stranger, "own")).toThrow(ProtocolError);
  });

  it("a meter that does not prove its key is not believed", () => {
    const of = options({ authentication: authentications.gmac, transport: "wrapper" });
    const other = aMeter(of, {}, { ...device, keys: { ...device.keys, authentication: "33".repeat(16) } });

    const failure = failureOf(() => talk(dlms(of).poll({ kind: "now" }, device), other));

    expect(failure).toMatchObject({ kind: "bad_password" });
  });

  it("invocation counters begin above the meter's own and never repeat; a repeated one is refused", () => {
    const of = options({ authentication: authentications.gmac, transport: "wrapper" });
    const meter = aMeter(of, { counter: 500 });
    const reserved: number[] = [];

    talk(dlms(of).poll({ kind: "now" }, device), meter, { reserved });
    talk(dlms(of).poll({ kind: "now" }, device), meter, { reserved });
    const stale = dlms({ ...of, authentication: { kind: "gmac" } });
    const failure = failureOf(() => talk(stale.poll({ kind: "now" }, device), meter));

    expect(reserved[0]).toBe(501);
    expect(reserved[1]).toBeGreaterThan(501);
    expect(failure).toMatchObject({ name: "ProtocolError" });
  });

  it.each(["hdlc", "wrapper"] as const)(
    "%s: lost requests, lost answers, answers twice: the same readings",
    (transport) => {
      for (const proof of ["lls", "gmac"] as const)
        for (let lost = 2; lost < 14; lost++) {
          // The proof of a key is given once; without an answer the session has failed.
          if (transport === "wrapper" && proof === "gmac" && lost === 5) continue;
          const of = options({ transport, authentication: authentications[proof] });
          const poll = () => dlms(of).poll({ kind: "now" }, device);

          const requests = talk(poll(), aMeter(of), { loseRequest: (n) => n === lost });
          const answers = talk(poll(), aMeter(of), { spoil: (reply, n) => (n === lost ? [] : [reply]) });
          const doubled = talk(poll(), aMeter(of), { spoil: (reply) => [reply, reply] });

          for (const each of [requests, answers, doubled])
            expect(each.map(({ values }) => values)).toEqual([shown.counters, shown.moments]);
        }
    },
  );

  it.each(["hdlc", "wrapper"] as const)(
    "%s: the answer before, coming late, is never taken for ours",
    (transport) => {
      const of = options({ transport, listSize: 1 });
      const late: { last: Uint8Array } = { last: new Uint8Array() };

      const readings = talk(dlms(of).poll({ kind: "now" }, device), aMeter(of), {
        spoil: (reply) => {
          const heard = [late.last, reply];
          late.last = reply;
          return heard;
        },
      });

      expect(readings).toEqual(expectNow);
    },
  );

  it("clock, relay, limiter, calendar and special days are read, changed and read back", () => {
    const driver = dlms(options({ authentication: authentications.gmac }));
    const name = (text: string) => new TextEncoder().encode(text);
    const season = {
      year: null,
      month: 3,
      day: 31,
      weekday: null,
      hour: 0,
      minute: 0,
      second: 0,
      hundredths: 0,
      deviation: null,
      status: 0,
    };
    const midnight = { hour: 0, minute: 0, second: 0, hundredths: 0 };
    const calendar: Calendar = {
      name: name("2027"),
      seasons: [{ name: name("S"), start: season, week: name("W") }],
      weeks: [{ name: name("W"), days: [1, 1, 1, 1, 1, 2, 2] }],
      days: [1, 2].map((dayId) => ({
        dayId,
        actions: Array.from({ length: 12 }, (_, at) => ({
          start: { ...midnight, hour: at * 2 },
          script: "0.0.10.0.100.255",
          selector: 1 + (at % 2),
        })),
      })),
    };
    const holiday = { index: 1, date: { year: 2027, month: 1, day: 1, weekday: null }, dayId: 2 };

    const found = talk(
      driver.inSession(device, function* (session) {
        const before = yield* readClock(session, driver.options.clock);
        yield* shiftClock(session, -30);
        const shifted = yield* readClock(session, driver.options.clock);
        yield* setClock(session, now + 5, driver.options.clock);
        const off = yield* switchRelay(session, false);
        const on = yield* switchRelay(session, true);
        const limit = yield* setLimiter(session, { threshold: 7500, minOverSec: 120 });
        yield* writeCalendar(session, calendar);
        yield* writeSpecialDays(session, [holiday]);
        return {
          clocks: [before, shifted, yield* readClock(session, driver.options.clock)],
          relays: [off, on, yield* readRelay(session)],
          limits: [limit, yield* readLimiter(session)],
          calendar: yield* readCalendar(session, "active"),
          days: yield* readSpecialDays(session),
          objects: yield* readObjectList(session),
        };
      }),
      aMeter(driver.options, { maxPdu: 128, maxInfo: 64 }),
    );

    expect(found.clocks).toEqual([now, now - 30, now + 5]);
    expect(found.relays.map(({ state }) => state)).toEqual(["disconnected", "connected", "connected"]);
    expect(found.limits[1]).toMatchObject({
      activeThreshold: 7500,
      normalThreshold: 7500,
      minOverSec: 120,
      unit: 27,
    });
    expect(found.calendar).toEqual(calendar);
    expect(found.days).toEqual([holiday]);
    expect(found.objects).toContainEqual({ classId: 70, version: 0, obis: "0.0.96.3.10.255" });
  });

  it("a command whose answer is lost is not sent again; the state read back tells what became of it", () => {
    const driver = dlms(options({ transport: "wrapper" }));
    let calls = 0;
    const meter = aMeter(driver.options);
    const counting: Responder = {
      receive(bytes) {
        const isCall = bytes[8] === 0xc3;
        if (isCall) calls += 1;
        const answer = meter.receive(bytes);
        return isCall ? [] : answer;
      },
    };

    const relay = talk(
      driver.inSession(device, (session) => switchRelay(session, false)),
      counting,
    );

    expect(relay.state).toBe("disconnected");
    expect(calls).toBe(1);
  });

  it("events of a journal come by time and by position", () => {
    const driver = dlms(options());
    const journals = driver.options.journals ?? [];
    const events = journals.flatMap(({ obis }) =>
      [1, 2, 3, 4, 5].map((code) => ({ journal: obis, at: now - code * 60, code })),
    );

    const found = talk(
      driver.inSession(device, function* (session) {
        const all = [];
        for (const journal of journals)
          all.push(
            yield* readEvents(session, { journal, clock: driver.options.clock, from: now - 200, to: now }),
          );
        return all;
      }),
      aMeter(driver.options, { events }),
    );

    expect(found.map((list) => list.map(({ code }) => code))).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it("SPODES: values of the moment from one row, load as mean power, slices of days and months", () => {
    const driver = spodes({
      transport: "hdlc",
      server: { logical: 1, bytes: 2, physical: "insideAddr" },
      utcOffsetMinutes: 180,
    });
    const own = { insideAddr: "17", deviceID: "41200042" };
    const meter = dlmsResponder({
      options: driver.options,
      device: own,
      state: stateAt(now),
      now: () => now,
      history: stateAt,
    });

    const values = talk(driver.poll({ kind: "now" }, own), meter);
    const load = talk(driver.poll(yesterday, own), meter);
    const months = talk(
      driver.poll({ ...yesterday, msgType: 103, from: now - 100 * day, to: now }, own),
      meter,
    );

    expect(values.find(({ msgType }) => msgType === 2)?.values).toMatchObject({
      power_active: 2,
      voltage1: 231.4,
      Frequency: 50.02,
    });
    expect(load).toHaveLength(48);
    expect(load.every(({ values: { power_a_plus: power } }) => power === 2)).toBe(true);
    expect(months.map(({ at }) => new Date(((at ?? 0) + 180 * 60) * 1000).getUTCDate())).toEqual([1, 1, 1]);
  });

  it("nothing on the line makes the meter throw", () => {
    for (const transport of ["hdlc", "wrapper"] as const)
      for (const proof of ["none", "lls", "gmac"] as const) {
        const of = options({ transport, authentication: authentications[proof] });
        const said: Uint8Array[] = [];
        const meter = aMeter(of);
        talk(dlms(of).poll({ kind: "now" }, device), {
          receive: (bytes) => (said.push(bytes), meter.receive(bytes)),
        });
        fc.assert(
          fc.property(
            fc.nat(said.length - 1),
            fc.nat(400),
            fc.nat(255),
            fc.uint8Array({ maxLength: 40 }),
            (which, at, byte, tail) => {
              const changed = Uint8Array.from([...(said[which] ?? []), ...tail]);
              changed[at % Math.max(1, changed.length)] = byte;
              meter.receive(changed);
            },
          ),
          { numRuns: 150 },
        );
      }
  });
});
