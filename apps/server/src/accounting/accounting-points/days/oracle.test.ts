import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { statuses, type AccountingPointId, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { dayOf, decimal, numberOf, plus, startOfDay, zero, type Decimal } from "#core";
import { areNear, expectedOf, scenarios, type Interval, type Scenario } from "#testing/series/pointScenario";
import { withLoad } from "#testing/load";
import { daysOf, type DayRow, type Sources } from "./days.ts";
import { ratioSteps } from "./ratios.ts";

/** Of each property. */
const runs = 150;
const field: FieldName = "tariff0";

function sourcesOf(scenario: Scenario, zone: string): Sources {
  const value = (micro: bigint | undefined) => (micro === undefined ? {} : { [field]: numberOf(micro) });
  return {
    zone,
    ties: scenario.ties.map(({ from, to, opening, closing }, n) => ({
      pointId: 1 as AccountingPointId,
      deviceId: (n + 1) as DeviceId,
      field,
      from,
      to,
      opening: value(opening),
      closing: value(closing),
    })),
    ratios: ratioSteps(
      scenario.ratios.map(({ from, hundredths, reading }, n) => ({
        kind: "ratio",
        from,
        to: scenario.ratios[n + 1]?.from ?? null,
        factor: { units: hundredths, scale: 2 },
        reading: value(reading),
      })),
    ),
    added: scenario.added.map(({ from, to, amount }) => ({
      field: "main",
      from,
      to,
      amount: { units: amount, scale: 6 },
      note: "",
    })),
    readings: new Map(
      scenario.ties.map(({ readings }, n) => [
        (n + 1) as DeviceId,
        new Map([
          [
            field,
            readings.map(({ ts, value: micro }) => ({
              ts,
              value: numberOf(micro),
              status: statuses.measured.id,
              msgType: 1,
              isCalculated: false,
            })),
          ],
        ]),
      ]),
    ),
    // Any load: the amounts are the matter here, whatever is believed.
    rangeOf: () => withLoad({ capacity: scenario.capacity, start: 0n }, 1e9),
    read: [{ from: scenario.start - 86_400, to: scenario.end + 86_400 }],
  };
}

/** The sum of days as `totalsOfPoints` adds them. */
function totalOf(rows: readonly DayRow[]): {
  readonly amount: Decimal | undefined;
  readonly coveredSec: number;
} {
  let [amount, coveredSec, isKnown] = [zero, 0, false];
  for (const row of rows) {
    const hasGap = row.gap_amount !== null;
    for (const each of [row.amount, hasGap ? row.gap_amount : null])
      if (each !== null) [amount, isKnown] = [plus(amount, decimal(each)), true];
    coveredSec += row.known_sec + (hasGap ? (row.gap_sec ?? 0) : 0);
  }
  return { amount: isKnown ? amount : undefined, coveredSec };
}

/** In units of 10^-8. */
const units = (amount: Decimal): bigint => plus(amount, { units: 0n, scale: 8 }).units;

interface Case {
  readonly zone: string;
  readonly start: string;
  readonly pace: "often" | "rarely" | "seldom";
  readonly where: string;
}
const places = [
  { zone: "Europe/Berlin", start: "2026-03-27T13:20:00Z", where: "over a day of 23 hours" },
  { zone: "Europe/Berlin", start: "2026-10-23T02:50:00Z", where: "over a day of 25 hours" },
  { zone: "Asia/Almaty", start: "2024-02-28T05:00:00Z", where: "over a change of the law" },
  { zone: "Asia/Kathmandu", start: "2026-05-01T00:00:00Z", where: "a quarter of an hour off" },
];
const cases: readonly Case[] = [
  ...places.map((place) => ({ ...place, pace: "often" as const })),
  ...places.map((place) => ({ ...place, pace: "rarely" as const })),
  ...places.slice(0, 2).map((place) => ({ ...place, pace: "seldom" as const })),
];

/** Tests of periods are as many as the square of the days of a scenario. */
const ofPace = {
  often: { numRuns: runs, most: 60 },
  rarely: { numRuns: 60, most: 20 },
  seldom: { numRuns: 40, most: 4 },
} as const;

describe("TRUST-011 totals equal an oracle in exact arithmetic that knows the true consumption", () => {
  it.each(cases)("in $zone from $start, read $pace, $where", ({ zone, start, pace }) => {
    const { numRuns, most } = ofPace[pace];
    let far = 0;
    const property = fc.property(scenarios(Date.parse(start) / 1000, { most, pace }), (scenario) => {
      const [from, to] = [dayOf(zone, scenario.start), dayOf(zone, scenario.end)];
      const days = Array.from({ length: to - from + 1 }, (_, n) => from + n);
      const { rows } = daysOf(sourcesOf(scenario, zone), "main", days);
      const isFar = (each: Interval): boolean => each.to - each.from > 6 * 3600 && areNear(scenario, each);
      far += scenario.intervals.filter((each) => each.isTold && isFar(each)).length;
      const name = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
      for (const first of days)
        for (const last of days.slice(days.indexOf(first))) {
          const period = rows.filter(({ day }) => day >= name(first) && day <= name(last));
          const inPeriod = period.map((row) => ({
            ...row,
            // A gap that begins before the period is not of it.
            ...(row.gap_day !== null && row.gap_day < name(first) ? { gap_amount: null, gap_sec: null } : {}),
          }));
          const total = totalOf(inPeriod);
          const expected = expectedOf(scenario, {
            ...{ from: startOfDay(zone, first), to: startOfDay(zone, last + 1), zone },
          });
          expect([total.amount && units(total.amount), total.coveredSec]).toEqual([
            expected.amount,
            expected.coveredSec,
          ]);
        }
    });
    fc.assert(property, { numRuns });
    if (pace === "rarely") expect(far).toBeGreaterThan(numRuns);
  });
});
