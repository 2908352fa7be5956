import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayOf, dayText, hourOf, offsetSec, standardOffsetSec, startOfDay } from "./calendar.ts";

const at = (iso: string) => Date.parse(iso) / 1000;
const dayNumber = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;
const hoursOf = (zone: string, iso: string) =>
  (startOfDay(zone, dayNumber(iso) + 1) - startOfDay(zone, dayNumber(iso))) / 3600;

test("RANGE-018 the days of daylight saving have 23 and 25 hours", () => {
  expect(hoursOf("Europe/Berlin", "2026-03-29")).toBe(23);
  expect(hoursOf("Europe/Berlin", "2026-10-25")).toBe(25);
  expect(hoursOf("Europe/Berlin", "2026-10-26")).toBe(24);
  expect(hourOf("Europe/Berlin", at("2026-10-25T22:59:59Z"))).toBe(24);
});

test("a zone rule that changes at night makes one longer day", () => {
  expect(hoursOf("Asia/Almaty", "2024-02-29")).toBe(25);
  expect(hoursOf("Asia/Almaty", "2024-03-01")).toBe(24);
  expect(dayOf("Asia/Almaty", at("2024-02-29T18:30:00Z"))).toBe(dayNumber("2024-02-29"));
  expect(dayOf("Asia/Almaty", at("2024-02-29T19:00:00Z"))).toBe(dayNumber("2024-03-01"));
});

test("a day whose midnight does not exist begins when the clocks jump", () => {
  const start = startOfDay("Asia/Beirut", dayNumber("2026-03-29"));

  expect(start).toBe(at("2026-03-28T22:00:00Z"));
  expect(hoursOf("Asia/Beirut", "2026-03-29")).toBe(23);
});

test("every instant is in exactly one day of every zone", () => {
  for (const zone of [
    "Asia/Kathmandu",
    "America/Havana",
    "Australia/Lord_Howe",
    "Asia/Ulaanbaatar",
    "Europe/Samara",
  ])
    for (let day = dayNumber("2015-01-01"); day < dayNumber("2017-01-01"); day++) {
      const [start, end] = [startOfDay(zone, day), startOfDay(zone, day + 1)];
      expect([dayOf(zone, start), dayOf(zone, end - 1), dayOf(zone, start - 1)]).toEqual([day, day, day - 1]);
    }
});

test.each([
  ["Europe/Berlin", "2026-07-15T12:00:00Z", 1],
  ["Europe/Berlin", "2026-01-15T12:00:00Z", 1],
  ["Europe/Berlin", "2026-03-29T12:00:00Z", 1],
  ["Australia/Sydney", "2026-01-15T12:00:00Z", 10],
  ["Europe/Dublin", "2026-07-15T12:00:00Z", 0],
  ["Asia/Ulaanbaatar", "2026-07-15T12:00:00Z", 8],
  ["Asia/Almaty", "2024-02-15T12:00:00Z", 6],
  ["Asia/Almaty", "2024-05-15T12:00:00Z", 5],
])("standard time of %s at %s is UTC%i", (zone, iso, hours) => {
  expect(standardOffsetSec(zone, at(iso)) / 3600).toBe(hours);
});

/** Days around which the clocks of a zone change, or a law changes them. */
const changes: readonly (readonly [zone: string, date: string])[] = [
  ["Europe/Berlin", "2026-03-29"],
  ["Europe/Berlin", "2026-10-25"],
  ["Asia/Ulaanbaatar", "2016-03-26"],
  ["Asia/Ulaanbaatar", "2016-09-24"],
  ["America/Sao_Paulo", "2018-11-04"],
  ["America/Sao_Paulo", "2018-02-18"],
  ["Asia/Almaty", "2024-03-01"],
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Apia", "2020-09-27"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Asia/Kathmandu", "2026-05-01"],
];

/** What a wall clock of the zone shows, from the library of the language and not from offsets. */
function shownBy(zone: string, instant: number): { readonly day: number; readonly secondOfDay: number } {
  const parts = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  }).formatToParts(instant * 1000);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return {
    day: Date.UTC(of("year"), of("month") - 1, of("day")) / 86_400_000,
    secondOfDay: of("hour") * 3600 + of("minute") * 60 + of("second"),
  };
}

describe("TRUST-023 the calendar of a zone is that of its wall clocks", () => {
  test.each(changes)("%s around %s", (zone, date) => {
    const middle = at(`${date}T00:00:00Z`);
    const instants = fc.integer({ min: middle - 5 * 86_400, max: middle + 5 * 86_400 });
    fc.assert(
      fc.property(instants, (instant) => {
        const { day, secondOfDay } = shownBy(zone, instant);
        const start = startOfDay(zone, day);

        expect(dayOf(zone, instant)).toBe(day);
        expect(instant + offsetSec(zone, instant)).toBe(day * 86_400 + secondOfDay);
        expect(start).toBeLessThanOrEqual(instant);
        expect(startOfDay(zone, day + 1)).toBeGreaterThan(instant);
        expect(shownBy(zone, start - 1).day).toBeLessThan(day);
        expect(hourOf(zone, instant)).toBe(Math.floor((instant - start) / 3600));
        expect(Date.parse(`${dayText(day)}T00:00:00Z`) / 86_400_000).toBe(day);
      }),
      { numRuns: 60 },
    );
  });

  test.each(changes)("days of %s around %s follow each other without a hole", (zone, date) => {
    const first = dayNumber(date) - 5;
    const starts = Array.from({ length: 11 }, (_, n) => startOfDay(zone, first + n));
    const hours = starts.slice(1).map((start, n) => (start - (starts[n] ?? 0)) / 3600);

    expect(hours.every((each) => each === 0 || (each >= 23 && each <= 25))).toBe(true);
    expect(hours.reduce((sum, each) => sum + each, 0) * 3600).toBe((starts.at(-1) ?? 0) - (starts[0] ?? 0));
  });

  test("a day that a zone left out has no hours", () => {
    expect(hoursOf("Pacific/Apia", "2011-12-30")).toBe(0);
    expect([hoursOf("Pacific/Apia", "2011-12-29"), hoursOf("Pacific/Apia", "2011-12-31")]).toEqual([24, 24]);
  });
});
