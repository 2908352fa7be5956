import { expect, test } from "vitest";
import { dayOf, hourOf, standardOffsetSec, startOfDay } from "./calendar.ts";

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
