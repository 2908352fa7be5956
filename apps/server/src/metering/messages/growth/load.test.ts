import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CounterRange, Point } from "./counter.ts";
import { growth } from "./growth.ts";
import { doubtedGrowth, expectedGrowth, isLeap, loadOf, physicalGrowth, samplesOf } from "./load.ts";

const [hour, day] = [3600, 86_400];
/** Capacities and hours at full load of counters of each resource, and of pulses of a litre. */
const meters = {
  electricity: { capacity: 1_000_000, holdsHours: 4_000 },
  gas: { capacity: 100_000, holdsHours: 8_000 },
  water: { capacity: 100_000, holdsHours: 1_600 },
  heat: { capacity: 1_000_000, holdsHours: 3_000 },
  pulses: { capacity: 4_294_967.296, holdsHours: 60_000 },
} as const;
const rhythms = [60, 900, 1800, hour, 6 * hour, day, 7 * day, 30 * day] as const;
type Meter = (typeof meters)[keyof typeof meters];

const fullLoad = ({ capacity, holdsHours }: Meter): number => capacity / holdsHours / hour;
const rangeOf = (meter: Meter, points: readonly Point[]): CounterRange => ({
  ...meter,
  start: 0,
  samplesAt: (until) => samplesOf(points, until),
});

/** A counter that is read at these times, with a load in units a second between two of them. */
function seriesOf(times: readonly number[], loadAt: (ts: number) => number): Point[] {
  let value = 100;
  return times.map((ts, n) => {
    if (n > 0) value += loadAt(ts) * (ts - (times[n - 1] ?? ts));
    return { ts, value: Math.round(value * 1000) / 1000 };
  });
}

/** The steps of a series that are not believed. */
const doubtedIn = (points: readonly Point[], range: CounterRange): number =>
  points.filter((now, at) => at > 0 && growth(points[at - 1], now, range) === null).length;

const anyMeter = fc.constantFrom(...Object.values(meters));
const anyRhythm = fc.constantFrom(...rhythms);
const times = (every: number, count: number): number[] => Array.from({ length: count }, (_, n) => n * every);

describe("TRUST-025 honest growth is believed", () => {
  test("of a meter of any kind and rhythm, whose load changes by as much as its ratings allow from hour to hour", () => {
    fc.assert(
      fc.property(
        anyMeter,
        anyRhythm,
        fc.array(fc.nat({ max: 100 }), { minLength: 5 }),
        (meter, every, loads) => {
          // An hour may have all of full load; hours and days on end have a quarter of it.
          const most = every <= hour ? 1 : 1 / 4;
          const points = seriesOf(
            times(every, 60),
            (ts) => ((loads[Math.floor(ts / hour) % loads.length] ?? 0) / 100) * most * fullLoad(meter),
          );
          expect(doubtedIn(points, rangeOf(meter, points))).toBe(0);
        },
      ),
    );
  });

  test("of a factory that starts with ten times its load, whatever it was", () => {
    fc.assert(
      fc.property(anyMeter, anyRhythm, fc.integer({ min: 1, max: 25 }), (meter, every, thousandths) => {
        const usual = (fullLoad(meter) * thousandths) / 1000;
        const start = 60 * every;
        const points = seriesOf(times(every, 120), (ts) => (ts > start ? 10 : 1) * usual);
        expect(doubtedIn(points, rangeOf(meter, points))).toBe(0);
      }),
    );
  });

  test("of a meter that has stood still for long and begins at any load: one step at most is doubted", () => {
    fc.assert(
      fc.property(anyMeter, anyRhythm, fc.integer({ min: 1, max: 100 }), (meter, every, percent) => {
        const start = Math.max(60 * every, 50 * day);
        const at = times(every, Math.min(400, Math.ceil(start / every) + 60)).map(
          (ts) => ts + Math.max(0, start - 340 * every),
        );
        const points = seriesOf(at, (ts) => (ts > start ? (fullLoad(meter) * percent) / 100 : 0));
        const doubted = doubtedIn(points, rangeOf(meter, points));
        expect(doubted).toBeLessThanOrEqual(percent > 25 && every >= day ? 1 : 0);
      }),
    );
  });

  test("after a gap of any length, of a new meter, and at its first reading", () => {
    fc.assert(
      fc.property(
        anyMeter,
        fc.integer({ min: 1, max: 700 }),
        fc.nat({ max: 100 }),
        (meter, days, percent) => {
          const load = (fullLoad(meter) * percent) / 400;
          const known = seriesOf(times(hour, 200), () => load);
          const last = known.at(-1) ?? { ts: 0, value: 0 };
          const after = { ts: last.ts + days * day, value: last.value + load * days * day };
          for (const range of [rangeOf(meter, known), rangeOf(meter, []), rangeOf(meter, [last])])
            expect(growth(last, after, range)).not.toBeNull();
        },
      ),
    );
  });
});

describe("TRUST-025 the usual load", () => {
  const meter = meters.electricity;
  const daily = (days: number, loadAt: (day: number) => number) =>
    seriesOf(times(day, days), (ts) => loadAt(Math.round(ts / day)) / day);
  const loadOfDay = (points: readonly Point[]): number | undefined => {
    const load = loadOf(samplesOf(points, points.at(-1)?.ts ?? 0), rangeOf(meter, points));
    return load === undefined ? undefined : Math.round(load * day);
  };

  test("leaves a leap out, the oldest one too, and begins anew after it", () => {
    expect(loadOfDay(daily(41, () => 24))).toBe(24);
    for (const at of [3, 15, 25, 38])
      expect(loadOfDay(daily(41, (n) => (n === at ? 5_000 : 24))), String(at)).toBeLessThanOrEqual(
        at === 38 ? 24 : 480,
      );
    expect(loadOfDay(daily(41, (n) => (n === 3 ? 100_000 : 24)))).toBe(24);
    expect(loadOfDay(daily(41, (n) => (n > 30 ? 3_000 : 24)))).toBe(3_000);
  });

  test("is that of the days before, and of a day at least", () => {
    const points = daily(10, () => 24);
    const [first, last] = [points[0], points.at(-1)];
    const range = rangeOf(meter, points);
    expect(last && expectedGrowth(last, last.ts + 2 * day, range)).toBe(48);
    expect(first && expectedGrowth(first, first.ts + day, range)).toBeNull();
    expect(expectedGrowth({ ts: 0, value: 0 }, day, { ...meter, start: 0 })).toBeNull();
  });
});

test("TRUST-025 a growth that is never doubted is below every bound", () => {
  fc.assert(
    fc.property(
      anyMeter,
      fc.integer({ min: 1, max: 60 * day }),
      fc.integer({ min: 0, max: 99 }),
      (meter, sec, n) => {
        const range = rangeOf(meter, [
          { ts: -2 * day, value: 0 },
          { ts: 0, value: 0 },
        ]);
        const by = (doubtedGrowth(sec, range) * n) / 100;
        const points = [
          { ts: 0, value: 0.5 },
          { ts: sec, value: by + 0.5 },
        ] as const;
        expect(isLeap(by, points, range)).toBe(false);
        expect(isLeap(physicalGrowth(sec, range) * 1.001, points, range)).toBe(true);
      },
    ),
  );
});
