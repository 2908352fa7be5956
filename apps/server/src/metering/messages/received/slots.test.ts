import { expect, test } from "vitest";
import { at } from "#testing/readings";
import { judge } from "./received.ts";
import { gridOf, slotsOf } from "./slots.ts";

const berlin = "Europe/Berlin";
const day = (date: string) => ({ from: at(`${date}T00:00:00Z`), to: at(`${date}T00:00:00Z`) + 86_400 });
/** A calendar day of Berlin in summer time. */
const summerDay = (date: string) => {
  const { from, to } = day(date);
  return { from: from - 7200, to: to - 7200 };
};
const hourly = gridOf(100, { reportPeriodSec: 60 });
const later = at("2030-01-01T00:00:00Z");

test("TRUST-009 a device is assessed by hours, parts of a day, days or weeks, according to its reporting period", () => {
  const grids = [60, 3600, 5400, 5 * 3600, 86_400, 90_000, 7 * 86_400].map((reportPeriodSec) =>
    gridOf(1, { reportPeriodSec }),
  );

  expect(grids).toEqual([
    { kind: "hours", hours: 1 },
    { kind: "hours", hours: 1 },
    { kind: "hours", hours: 2 },
    { kind: "hours", hours: 6 },
    { kind: "days", days: 1 },
    { kind: "days", days: 2 },
    { kind: "days", days: 7 },
  ]);
  expect([5, 100, 101, 103, 3, 7].map((type) => gridOf(type, { reportPeriodSec: 60 })?.kind ?? null)).toEqual(
    ["half-hours", "hours", "days", "months", null, null],
  );
});

test("days have 23, 24 or 25 hours, months their own number of days", () => {
  const count = (type: number, from: string, to: string) => {
    const grid = gridOf(type, { reportPeriodSec: 60 });
    return grid ? slotsOf(grid, berlin, { from: at(from), to: at(to) }).length : null;
  };

  expect(count(100, "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z")).toBe(23);
  expect(count(100, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")).toBe(25);
  expect(count(5, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")).toBe(50);
  expect(count(103, "2025-12-31T23:00:00Z", "2026-12-31T23:00:00Z")).toBe(12);
  // A month that begins before the period is not judged by half of it.
  expect(count(103, "2026-01-15T00:00:00Z", "2026-12-31T23:00:00Z")).toBe(11);
});

test("TRUST-009 DATA-053 missing rows at the beginning, in the middle and at the end are three gaps", () => {
  const span = summerDay("2026-06-10");
  const slots = hourly ? slotsOf(hourly, berlin, span) : [];
  const present = [2, 3, 4, 8, 9].map((hour) => span.from + hour * 3600);

  expect(judge(slots, present, later)).toEqual({
    expected: 24,
    received: 5,
    gaps: [
      { from: span.from, to: span.from + 2 * 3600, missing: 2 },
      { from: span.from + 5 * 3600, to: span.from + 8 * 3600, missing: 3 },
      { from: span.from + 10 * 3600, to: span.to, missing: 14 },
    ],
    gapCount: 3,
  });
});

test("TRUST-009 before a device was added no row was due: one that has come counts, what is missing is still told", () => {
  const span = summerDay("2026-06-10");
  const slots = hourly ? slotsOf(hourly, berlin, span) : [];
  const present = [3, 21, 22].map((hour) => span.from + hour * 3600);

  expect(judge(slots, present, later, span.from + 20 * 3600 + 600)).toEqual({
    // The hour of its adding, the three after it, and the old row.
    expected: 5,
    received: 3,
    gaps: [
      { from: span.from, to: span.from + 3 * 3600, missing: 3 },
      { from: span.from + 4 * 3600, to: span.from + 21 * 3600, missing: 17 },
      { from: span.from + 23 * 3600, to: span.to, missing: 1 },
    ],
    gapCount: 3,
  });
});

test("TRUST-009 a slot is missing only once its row is overdue, and counts as soon as it is received", () => {
  const span = summerDay("2026-06-10");
  const slots = hourly ? slotsOf(hourly, berlin, span) : [];
  const counted = (present: number[], now = span.from + 2 * 3600 + 600) => {
    const { expected, received } = judge(slots, present, now);
    return [received, expected];
  };

  expect(counted([span.from, span.from + 3600])).toEqual([2, 2]);
  expect(counted([span.from, span.from + 3600, span.from + 2 * 3600 + 300])).toEqual([3, 3]);
  // The hour from one to two has just ended: its row may still arrive, an hour later it is missing.
  expect(counted([span.from])).toEqual([1, 1]);
  expect(counted([span.from], span.from + 3 * 3600)).toEqual([1, 2]);
});

test("a weekly reading covers a week, whichever day is examined", () => {
  const grid = gridOf(1, { reportPeriodSec: 7 * 86_400 });
  const reading = at("2026-06-10T10:00:00Z");
  const shares = Array.from({ length: 10 }, (_, after) => {
    const from = at("2026-06-09T22:00:00Z") + after * 86_400;
    const slots = grid ? slotsOf(grid, berlin, { from, to: from + 86_400 }) : [];
    return judge(slots, [reading], later).received;
  });

  expect(shares).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
});
