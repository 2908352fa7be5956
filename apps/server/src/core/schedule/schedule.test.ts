import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOf, offsetSec } from "../time/calendar.ts";
import { momentsBetween, nextMoment, type Schedule } from "./schedule.ts";

const at = (iso: string) => Date.parse(iso) / 1000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(":00.000Z", "Z");
const next = (schedule: Schedule, after: string, count = 1): string[] => {
  const found: number[] = [];
  for (let n = 0; n < count; n += 1) found.push(nextMoment(schedule, found.at(-1) ?? at(after)));
  return found.map(iso);
};
const zone = "Europe/Berlin";

describe("moments of a schedule", () => {
  test("a day's time is that of the wall clocks of its zone, in summer and in winter", () => {
    const daily: Schedule = { kind: "daily", at: "08:30", zone };

    expect(next(daily, "2026-10-24T00:00:00Z", 3)).toEqual([
      "2026-10-24T06:30Z",
      "2026-10-25T07:30Z",
      "2026-10-26T07:30Z",
    ]);
    expect(next(daily, "2026-10-24T06:30:00Z")).toEqual(["2026-10-25T07:30Z"]);
  });

  test("a time that the spring leaves out is the first one after it, and an autumn time that is twice comes once", () => {
    const daily: Schedule = { kind: "daily", at: "02:30", zone };

    expect(next(daily, "2026-03-28T12:00:00Z", 2)).toEqual(["2026-03-29T01:00Z", "2026-03-30T00:30Z"]);
    expect(next(daily, "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30Z", "2026-10-26T01:30Z"]);
  });

  test("a day that a zone left out is done when the next one begins", () => {
    const daily: Schedule = { kind: "daily", at: "09:00", zone: "Pacific/Apia" };

    expect(next(daily, "2011-12-29T12:00:00Z", 3)).toEqual([
      "2011-12-29T19:00Z",
      "2011-12-30T10:00Z",
      "2011-12-30T19:00Z",
    ]);
  });

  test("weekdays, a day of the week, of the month, its last one and its working days", () => {
    const utc = { at: "06:00", zone: "Etc/UTC" } as const;
    const days = (schedule: Schedule, count: number, from = "2026-01-29T12:00:00Z") =>
      next(schedule, from, count).map((moment) => moment.slice(5, 10));

    expect(days({ kind: "weekdays", ...utc }, 3)).toEqual(["01-30", "02-02", "02-03"]);
    expect(days({ kind: "weekly", day: 7, ...utc }, 2)).toEqual(["02-01", "02-08"]);
    expect(days({ kind: "monthly", day: 31, ...utc }, 3)).toEqual(["01-31", "02-28", "03-31"]);
    expect(days({ kind: "lastDay", ...utc }, 3)).toEqual(["01-31", "02-28", "03-31"]);
    expect(days({ kind: "workingDay", nth: 1, ...utc }, 3)).toEqual(["02-02", "03-02", "04-01"]);
    expect(days({ kind: "workingDay", nth: 20, ...utc }, 2)).toEqual(["02-27", "03-27"]);
  });

  test.each([
    ["*/20 8-9 * * *", ["01-01T08:00", "01-01T08:20", "01-01T08:40", "01-01T09:00"]],
    ["0 0 1,15 * *", ["01-15T00:00", "02-01T00:00", "02-15T00:00"]],
    ["30 6 * * 1-5", ["01-01T06:30", "01-02T06:30", "01-05T06:30"]],
    ["0 0 * 2 7", ["02-01T00:00", "02-08T00:00"]],
    // Either field of days, if neither is open: crontab(5).
    ["0 0 13 * 5", ["01-02T00:00", "01-09T00:00", "01-13T00:00", "01-16T00:00"]],
    ["0 0 29 2 *", ["02-29T00:00"]],
    ["50/5 23 31 12 *", ["12-31T23:50", "12-31T23:55"]],
  ])("cron %s", (cron, moments) => {
    const found = next({ kind: "cron", cron, zone: "Etc/UTC" }, "2026-01-01T00:00:00Z", moments.length);

    expect(found.map((moment) => moment.slice(5, 16))).toEqual(moments);
  });

  test("a moment of an instant that is one is the next", () => {
    const hourly: Schedule = { kind: "cron", cron: "0 * * * *", zone: "Etc/UTC" };

    expect(next(hourly, "2026-01-01T00:00:00Z")).toEqual(["2026-01-01T01:00Z"]);
    expect(momentsBetween(hourly, { from: at("2026-01-01T00:00Z"), to: at("2026-01-01T02:00Z") }, 9)).toEqual(
      [at("2026-01-01T01:00Z"), at("2026-01-01T02:00Z")],
    );
  });

  test.each([
    ["* * * *", /five fields/],
    ["60 * * * *", /no minute/],
    ["* 9-8 * * *", /no hour/],
    ["* * 0 * *", /no dayOfMonth/],
    ["* * * JAN *", /no month/],
    ["*/0 * * * *", /no minute/],
    ["0 0 31 2 *", /no moment/],
  ])("an expression that means nothing is refused: %s", (cron, reason) => {
    expect(() => nextMoment({ kind: "cron", cron, zone: "Etc/UTC" }, 0)).toThrow(reason);
  });

  test("an unknown zone, a wrong time and a wrong day are refused", () => {
    const daily = { kind: "daily", zone: "Etc/UTC" } as const;

    expect(() => nextMoment({ ...daily, at: "24:00" }, 0)).toThrow(/no time of the day/);
    expect(() => nextMoment({ ...daily, at: "00:00", zone: "Mars/Base" }, 0)).toThrow(/no time zone/);
    expect(() => nextMoment({ ...daily, kind: "weekly", day: 8, at: "00:00" }, 0)).toThrow(/from 1 to 7/);
    expect(() => nextMoment({ ...daily, kind: "workingDay", nth: 21, at: "00:00" }, 0)).toThrow(/1 to 20/);
  });
});

const zones = fc.constantFrom(
  "Europe/Berlin",
  "America/Havana",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Asia/Almaty",
);
const minutes = fc.integer({ min: 0, max: 1_439 });
const instants = fc.integer({ min: at("2023-01-01T00:00Z"), max: at("2027-01-01T00:00Z") });
const clock = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

test("a daily schedule has one moment a day, at its time unless the clocks leave that out", () => {
  fc.assert(
    fc.property(zones, minutes, instants, (named, minute, from) => {
      const daily: Schedule = { kind: "daily", at: clock(minute), zone: named };
      const moments = momentsBetween(daily, { from, to: from + 400 * 86_400 }, 1_000);

      expect(Math.abs(moments.length - 400)).toBeLessThanOrEqual(1);
      for (const moment of moments) {
        const shown = (moment + offsetSec(named, moment)) % 86_400;
        const isJump = offsetSec(named, moment - 1) < offsetSec(named, moment);
        expect(shown === minute * 60 || (isJump && shown > minute * 60)).toBe(true);
      }
      expect(new Set(moments.map((moment) => dayOf(named, moment))).size).toBe(moments.length);
    }),
    { numRuns: 40 },
  );
});

test("the moments between two instants are those that follow each other, the latest if there are too many", () => {
  fc.assert(
    fc.property(zones, minutes, instants, fc.integer({ min: 1, max: 30 }), (named, minute, from, most) => {
      const twice: Schedule = { kind: "cron", cron: `${String(minute % 60)} */7 * * 1,4`, zone: named };
      const to = from + 40 * 86_400;
      const all: number[] = [];
      for (let at = nextMoment(twice, from); at <= to; at = nextMoment(twice, at)) all.push(at);

      expect(momentsBetween(twice, { from, to }, 1_000)).toEqual(all);
      expect(momentsBetween(twice, { from, to }, most)).toEqual(all.slice(-most));
    }),
    { numRuns: 40 },
  );
});
