import { describe, expect, it } from "vitest";
import { talk } from "../core/testing/testLine.ts";
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
import { prepareLimit, readLimiter, readRelay, switchRelay } from "./objects/control.ts";
import { readEvents } from "./objects/events.ts";
import { aMeter, authentications, device, now, options } from "./testing/testMeter.ts";

describe("client and simulated meter", () => {
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
        const started = yield* readClock(session, driver.options.clock);
        yield* shiftClock(session, -30);
        const shifted = yield* readClock(session, driver.options.clock);
        yield* setClock(session, now + 5, driver.options.clock);
        yield* switchRelay(session, false);
        const off = yield* readRelay(session);
        yield* switchRelay(session, true);
        const before = yield* readLimiter(session);
        const limit = { threshold: 7500, minOverSec: 120, minUnderSec: 30 };
        for (const { attribute, value } of yield* prepareLimit(session, limit))
          yield* session.set(attribute, value);
        yield* writeCalendar(session, calendar);
        yield* writeSpecialDays(session, [holiday]);
        return {
          clocks: [started, shifted, yield* readClock(session, driver.options.clock)],
          relays: [off, yield* readRelay(session)],
          limits: [before, yield* readLimiter(session)],
          calendar: yield* readCalendar(session, "active"),
          days: yield* readSpecialDays(session),
          objects: yield* readObjectList(session),
        };
      }),
      aMeter(driver.options, { maxPdu: 128, maxInfo: 64 }),
    );

    expect(found.clocks).toEqual([now, now - 30, now + 5]);
    expect(found.relays.map(({ state }) => state)).toEqual(["disconnected", "connected"]);
    expect(found.limits[1]).toMatchObject({
      activeThreshold: 7500,
      normalThreshold: 7500,
      minOverSec: 120,
      minUnderSec: 30,
      unit: 27,
    });
    expect(found.calendar).toEqual(calendar);
    expect(found.days).toEqual([holiday]);
    expect(found.objects).toContainEqual({ classId: 70, version: 0, obis: "0.0.96.3.10.255" });
  });

  it("events of a journal are read by time and by position", () => {
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
});
