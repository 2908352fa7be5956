import { expect, it, test } from "vitest";
import { dayOfYear, daysInMonth, isDayOfYear } from "./specialDays.ts";
import { isClockTime, tariffDifferences, tariffIntervals, tariffTimeFaults } from "./tariffSchedule.ts";

const hours = (intervals: readonly { tariff: number; from: number; to: number }[]) =>
  intervals.map(({ tariff, from, to }) => [tariff, from / 60, to / 60]);

it.each([
  ["one tariff all day", { tariff0: ["00:00"] }, [[1, 0, 24]]],
  [
    "day 07 to 23 and night over midnight",
    { tariff0: ["23:00"], tariff1: ["07:00"] },
    [
      [2, 0, 7],
      [1, 7, 23],
      [2, 23, 24],
    ],
  ],
  [
    "two peaks, half-peak and night",
    { tariff0: ["10:00", "21:00"], tariff1: ["07:00"], tariff2: ["17:00", "23:00"] },
    [
      [2, 0, 7],
      [1, 7, 10],
      [3, 10, 17],
      [1, 17, 21],
      [3, 21, 23],
      [2, 23, 24],
    ],
  ],
  [
    "four tariffs, the last until midnight",
    { tariff0: ["10:00", "21:00"], tariff1: ["07:00"], tariff2: ["17:00", "23:00"], tariff3: ["00:00"] },
    [
      [2, 0, 7],
      [1, 7, 10],
      [3, 10, 17],
      [1, 17, 21],
      [3, 21, 23],
      [4, 23, 24],
    ],
  ],
  ["no times", {}, []],
])("TARIFF-014 a time is the end of an interval of its tariff: %s", (_, schedule, expected) => {
  expect(hours(tariffIntervals(schedule))).toEqual(expected);
});

test("TARIFF-015 equal times, and a second time before the first, are found at their place", () => {
  const faults = tariffTimeFaults({ tariff0: ["21:00", "10:00"], tariff1: ["21:00"], tariff2: ["17:00"] });

  expect(faults).toEqual([
    { key: "tariff0", at: 1, fault: "time_order" },
    { key: "tariff1", at: 0, fault: "time_twice" },
  ]);
  expect(tariffTimeFaults({ tariff0: ["10:00", "00:00"], tariff1: ["07:00"] })).toEqual([]);
});

test("two schedules are compared by what applies in each part of the day", () => {
  const wanted = { tariff0: ["23:00"], tariff1: ["07:00"] };

  expect(tariffDifferences(wanted, { tariff1: ["07:00"], tariff0: ["22:00"] })).toEqual([
    { from: 1320, to: 1380, wanted: 1, present: 2 },
  ]);
  expect(tariffDifferences(wanted, wanted)).toEqual([]);
  expect(tariffDifferences(wanted, {})).toEqual([]);
});

test("TARIFF-003 a time is HH:mm of the 24-hour clock", () => {
  expect(["00:00", "23:59", "07:05"].map(isClockTime)).toEqual([true, true, true]);
  expect(["24:00", "7:00", "12:60", "12:00:00", "07:00 "].some(isClockTime)).toBe(false);
});

test("SPECDAY-002 SPECDAY-003 SPECDAY-004 SPECDAY-007 days of a month, two digits each", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(daysInMonth)).toEqual([
    31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
  ]);
  expect(dayOfYear(2, 9)).toBe("02-09");
  expect(["02-29", "12-31", "04-30"].every(isDayOfYear)).toBe(true);
  expect(["02-30", "04-31", "13-01", "00-10", "1-1", "01-00"].some(isDayOfYear)).toBe(false);
});
