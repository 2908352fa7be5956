import { statuses } from "@metrum/vocabulary";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withLoad } from "#testing/load";
import { counterRange, withoutRollover, type CounterRange } from "./counter.ts";
import { exactGrowth, grown, growth as growthOf, higherOf } from "./growth.ts";
import { doubtedGrowth } from "./load.ts";
import { difference, microOf, numberOf } from "#core";

const hour = 3600;
const million = withLoad({ capacity: 1_000_000, start: 0 }, 5);
const pointOf = (ts: number, value: number | null | undefined) => (value == null ? undefined : { ts, value });
/** Growth within an hour, or the hours given. */
const growth = (
  before: number | null | undefined,
  now: number | null | undefined,
  range: CounterRange,
  hours = 1,
) => growthOf(pointOf(0, before), pointOf(hours * hour, now), range);

describe("TRUST-002 growth of a counter", () => {
  test("is the difference of two values, without floating-point noise", () => {
    expect(growth(100, 105.5, withoutRollover)).toBe(5.5);
    expect(growth(0.1, 0.3, withoutRollover)).toBe(0.2);
    expect(growth(7, 7, million)).toBe(0);
    expect(growth(123_456.000001, 123_456.0000009, withoutRollover)).toBe(0);
  });

  test("is correct over a rollover: from 999 990 to 10 it is 20", () => {
    expect(growth(999_990, 10, million)).toBe(20);
    expect(growth(999_999.99, 0, million)).toBe(0.01);
    expect(growth(900_000.1, 99_999.9, withLoad(million, 40_000))).toBe(199_999.8);
  });

  test("is unknown where a value is missing, and where the counter decreased without a rollover", () => {
    for (const [before, now] of [
      [null, 5],
      [5, undefined],
      [Number.NaN, 5],
      [500, 0],
      [500_000, 10],
      [900_000, 10],
      [950_000, 100_000],
      [950_000, 600_000],
      [999_990, -5],
      [1_000_500, 10],
    ] as const)
      expect(growth(before, now, million), `${String(before)} ${String(now)}`).toBeNull();
    expect(growth(999_990, 10, withoutRollover)).toBeNull();
  });

  test("a counter of pulses rolls over to its starting value, the other inputs to zero", () => {
    const device = { counterCapacity: 1000, counterStart: { field: "in1", value: 5000 } } as const;
    expect(growth(5990, 5010, withLoad(counterRange(device, "in1"), 5))).toBe(20);
    expect(growth(5990, 10, withLoad(counterRange(device, "in1"), 5))).toBeNull();
    expect(growth(990, 10, withLoad(counterRange(device, "in2"), 5))).toBe(20);
  });

  test("TRUST-002 a counter whose record has fewer digits than the main one rolls over at its own capacity", () => {
    const device = { counterCapacity: undefined, capacities: { V_in: 100_000 }, counterStart: undefined };
    expect(growth(99_999, 4, withLoad(counterRange(device, "V_in"), 5))).toBe(5);
    expect(growth(99_999, 4, withLoad(counterRange(device, "tariff1"), 5))).toBeNull();
  });

  test("is reversed by `grown`, which wraps around at the capacity", () => {
    // So many that most counters pass their end, some several times.
    const steps = fc.array(fc.integer({ min: 0, max: 99_999_999 }), { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 5000 }), (thousandths, start) => {
        const range = withLoad({ capacity: 1_000_000, start }, 100_000);
        let [value, truth, sum] = [start, 0, 0];
        for (const each of thousandths) {
          const next = grown(value, each / 1000, range);
          expect(next).toBeLessThan(start + 1_000_000);
          truth += each / 1000;
          sum += growth(value, next, range) ?? Number.NaN;
          value = next;
        }
        expect(sum).toBeCloseTo(truth, 4);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a counter after an increase", () => {
  const range = { capacity: 1000, start: 50 };

  test("wraps around at the end of its range, which is its start, and only there", () => {
    expect([grown(1049, 0.999, range), grown(1049, 1, range), grown(1049, 1.5, range)]).toEqual([
      1049.999, 50, 50.5,
    ]);
    expect(grown(50, 0, range)).toBe(50);
    expect(grown(1049, -5, range), "less").toBe(1044);
    expect([grown(1050, 3, range), grown(1051, 3, range)], "beyond its range already").toEqual([1053, 1054]);
    expect(grown(1050, 0, range)).toBe(1050);
    expect(grown(1049, 5, withoutRollover)).toBe(1054);
  });
});

describe("TRUST-025 a rollover is believed", () => {
  test("only from the last tenth of the range to the first, whatever fits the load", () => {
    const start = 5000;
    const range = withLoad({ capacity: 1_000_000, start }, 1_000_000);
    const from = (before: number) => growth(start + before, start + 10, range);
    const to = (now: number) => growth(start + 999_990, start + now, range);
    expect([from(500_000), from(900_000), from(900_000.001)]).toEqual([null, null, 100_009.999]);
    expect([from(1_000_000), from(1_000_000.000_001), from(1_000_000.001)]).toEqual([10, 9.999_999, null]);
    expect([to(99_999.999), to(100_000), to(500_000)]).toEqual([100_009.999, null, null]);
    expect([to(0), to(-0.000_001), to(-0.001)]).toEqual([10, 9.999_999, null]);
  });

  const tens = withLoad({ capacity: 10_000_000, start: 0 }, 1);

  test("only where the growth fits the usual load and the time since", () => {
    expect(growth(9_200_359, 3, tens), "another meter, within the last tenth").toBeNull();
    expect(growth(9_999_998, 3, tens)).toBe(5);
    expect(growth(9_999_996, 3, tens), "seven times the load").toBeNull();
    expect(growth(9_999_900, 3, tens, 24)).toBe(103);
    expect(growth(9_999_900, 3, tens, 12)).toBeNull();
    expect(growth(9_999_990.5, 3.5, withLoad(tens, 0), 24 * 30), "no load").toBeNull();
  });

  test("of whole numbers that grow by one in many days", () => {
    const slow = withLoad({ capacity: 100_000, start: 0 }, 0.001);
    expect(growth(99_999, 0, slow)).toBe(1);
    expect(growth(99_998, 0, slow)).toBeNull();
  });

  test("never without a known load", () => {
    const alone = (values: readonly number[]): CounterRange => ({
      ...{ capacity: 10_000_000, start: 0 },
      samplesAt: () => values.map((value, n) => ({ ts: n, value })),
    });
    expect(growth(9_999_999, 3, { capacity: 10_000_000, start: 0 })).toBeNull();
    expect(growth(9_999_999, 3, alone([]))).toBeNull();
    expect(growth(9_999_999, 3, alone([9_999_999]))).toBeNull();
    expect(growth(9_999_999, 3, alone([9_999_998, 9_999_999]))).toBe(4);
  });

  test("never beyond what a meter with so many digits counts at full load", () => {
    const most = { ...withLoad({ capacity: 100_000, start: 0 }, 20), holdsHours: 4_000 };
    expect(growth(99_990.5, 10.5, most)).toBe(20);
    expect(growth(99_990.5, 21.5, most)).toBe(31);
    expect(growth(99_990.5, 22.5, most)).toBeNull();
    expect(growth(99_990.5, 190.5, most, 8)).toBe(200);
  });

  test("never upwards beyond what a meter with so many digits counts at full load, or beyond its usual load", () => {
    const rated = { ...withLoad({ capacity: 10_000_000, start: 0 }, 1), holdsHours: 4_000 };
    const unknown = { capacity: 10_000_000, start: 0, holdsHours: 4_000 };
    expect(growth(3, 9_200_359, unknown), "exchanged").toBeNull();
    expect(growth(3, 9_200_359, unknown, 24 * 400), "as long as that takes").toBe(9_200_356);
    // 10,000,000 in 4,000 hours are 2,500 an hour, and 3,125 with a quarter more.
    expect([growth(3, 3_128, unknown), growth(3, 3_130, unknown)]).toEqual([3_125, null]);
    expect([growth(3.5, 3_128, unknown, 0.1), growth(3.5, 3_129, unknown, 0.1)]).toEqual([3_124.5, null]);
    // A quarter of full load: 15,000 a day.
    expect([growth(3, 15_003, rated, 24), growth(3, 15_004, rated, 24)]).toEqual([15_000, null]);
    expect([growth(3, 15_003, rated, 5), growth(3, 15_004, rated, 5)], "an hour may have it").toEqual([
      15_000,
      null,
    ]);
    expect(growth(3, 15_503, withLoad(rated, 200), 5), "five times that of a day").toBe(15_500);
    expect([growth(3, 450_003, rated, 720), growth(3, 450_004, rated, 720)]).toEqual([450_000, null]);
    expect(growth(3, 15_004, withLoad(rated, 200), 24), "five times the usual load are 24,000").toBe(15_001);
    expect(growth(3, 9_200_359, { ...withoutRollover, holdsHours: 4_000 }), "digits unknown").toBe(9_200_356);
  });

  test("upwards wherever a person vouches for it", () => {
    const range = { capacity: 10_000_000, start: 0, holdsHours: 4_000 };
    const [before, now] = [
      { ts: 0, value: 3 },
      { ts: hour, value: 9_200_359 },
    ] as const;
    for (const { id } of [statuses.manual, statuses.corrected])
      expect(growthOf(before, { ...now, status: id }, range)).toBe(9_200_356);
    for (const { id } of [statuses.measured, statuses.late, statuses.estimated])
      expect(growthOf({ ...before, status: statuses.manual.id }, { ...now, status: id }, range)).toBeNull();
  });

  test("in exact arithmetic by the same rule", () => {
    const value = fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 1000);
    const near = fc.oneof(
      value,
      fc.integer({ min: 0, max: 9000 }).map((n) => 99_999 + n / 10_000),
      fc.integer({ min: 0, max: 90_000 }).map((n) => n / 1000),
    );
    fc.assert(
      fc.property(
        near,
        near,
        fc.nat({ max: 100 }),
        fc.constantFrom(1, 24, 720),
        fc.constantFrom(0, 70_000),
        (before, now, load, hours, start) => {
          const range = { ...withLoad({ capacity: 100_000, start }, load), holdsHours: 1_600 };
          const since = 1_700_000_000;
          const points = [
            { ts: since, value: start + before },
            { ts: since + hours * hour, value: start + now },
          ] as const;
          const [first, last] = points.map(({ ts, value }) => ({ ts, value: microOf(value) }));
          const exact =
            first &&
            last &&
            exactGrowth(first, last, { ...range, capacity: microOf(range.capacity), start: microOf(start) });
          const by = growthOf(...points, range);
          const isFall = now < before && by !== 0;
          expect(exact && { ...exact, by: numberOf(exact.by) }).toEqual(
            by === null
              ? null
              : {
                  by: now < before && !isFall ? difference(now, before) : by,
                  hasRolledOver: isFall,
                  isMuch: !isFall && by > doubtedGrowth(hours * hour, range),
                },
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("TRUST-030 noise of floats", () => {
  test("is what two conversions of one value differ by, and not more", () => {
    expect([growth(1.5e-6, 0, withoutRollover), growth(2e-6, 0, withoutRollover)]).toEqual([0, null]);
    const [before, noise, fall] = [2_000_000n, 1_999_999n, 1_999_997n].map((value, ts) => ({ ts, value }));
    const range = { capacity: undefined, start: 0n };
    expect(before && noise && exactGrowth(before, noise, range)).toEqual({
      ...{ by: -1n, hasRolledOver: false, isMuch: false },
    });
    expect(before && fall && exactGrowth(before, fall, range)).toBeNull();
  });

  test("is bounded absolutely: a fall by the last digit that a counter shows is a fall", () => {
    expect(growth(1e9, 1e9 - 0.9, withoutRollover)).toBeNull();
    expect(growth(1e9, 1e9 - 0.001, withoutRollover)).toBeNull();
    expect(growth(1e12, 1e12 - 0.001, withoutRollover)).toBeNull();
    expect(growth(123_456.5, 123_456.499, withoutRollover)).toBeNull();
    expect(growth(123_456.5, 123_456.499999, withoutRollover)).toBe(0);
    expect(growth(1e9 + 0.000001, 1e9, withoutRollover)).toBe(0);
  });

  test("adds up to nothing, in floats and exactly", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(12.5, 1e6, 1e9, 1e12),
        fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 200 }),
        (level, wobbles) => {
          const values = wobbles.map((n, at) => ({ ts: at * hour, value: level + n * 1e-6 }));
          let [sum, exact] = [0, 0n];
          let last = values[0];
          values.forEach((now, at) => {
            sum += growthOf(last, now, withoutRollover) ?? Number.NaN;
            last = higherOf(last, now);
            const before = values[at - 1] ?? now;
            const [a, b] = [before, now].map(({ ts, value }) => ({ ts, value: microOf(value) }));
            if (a && b) exact += exactGrowth(a, b, { capacity: undefined, start: 0n })?.by ?? 1_000_000n;
          });
          expect(sum).toBeLessThanOrEqual(2e-6);
          expect(exact).toBe(microOf(values.at(-1)?.value ?? 0) - microOf(values[0]?.value ?? 0));
        },
      ),
    );
  });
});
