import fc from "fast-check";
import { expect, test } from "vitest";
import { statuses, type FieldName } from "@metrum/vocabulary";
import { withLoad } from "#testing/load";
import { derive, type Counter } from "./derive/derive.ts";
import { growth } from "./growth/growth.ts";
import type { SeriesRow } from "./read/index.ts";
import { tableOf } from "./views/table.ts";
import { trustedValues } from "./rows/trust.ts";

const midnight = Date.UTC(2026, 4, 10) / 1000;
const stepSec = 600;
/** The meter counts in thousandths. */
const range = withLoad({ capacity: 1000, start: 0 }, 0.4);
const wraps = 1000 * range.capacity;
const set = { fields: ["tariff0"] } as const;

/** True consumption of a simulated meter and its readings, every ten minutes. */
interface Step {
  readonly grown: number;
  /** It was reset to zero before it counted this. */
  readonly isReset: boolean;
  readonly sends: "value" | "nonsense" | "nothing";
}

interface Simulated {
  readonly rows: readonly SeriesRow[];
  /** True energy since the beginning, by instant; and the number of resets until then. */
  readonly truth: ReadonlyMap<number, { readonly energy: number; readonly resets: number }>;
}

const row = (ts: number, value: number, isSuspect: boolean): SeriesRow => ({
  ts,
  real: null,
  received: 1,
  status: isSuspect ? statuses.suspect.id : statuses.measured.id,
  source: 1,
  by_field: null,
  set,
  v: [value],
  extra: null,
});

function simulate(first: number, steps: readonly Step[]): Simulated {
  const truth = new Map<number, { energy: number; resets: number }>();
  const rows: SeriesRow[] = [];
  let [value, energy, resets] = [first, 0, 0];
  steps.forEach(({ grown, isReset, sends }, n) => {
    if (isReset) [value, resets] = [0, resets + 1];
    energy += grown;
    value = (value + grown) % wraps;
    const ts = midnight + n * stepSec;
    truth.set(ts, { energy: energy / 1000, resets });
    if (sends === "value") rows.push(row(ts, value / 1000, false));
    if (sends === "nonsense") rows.push(row(ts, (value * 7 + 13) % wraps, true));
  });
  return { rows, truth };
}

/**
 * Resets show as a decrease in these sequences: the counter is well above what it can count in the following
 * time.
 */
const scenario = fc
  .record({
    first: fc.oneof(fc.integer({ min: 300_000, max: 800_000 }), fc.integer({ min: 980_000, max: 999_999 })),
    steps: fc.array(
      fc.record({
        grown: fc.integer({ min: 0, max: 120 }),
        isReset: fc.constant(false),
        sends: fc.constantFrom("value", "value", "value", "value", "nonsense", "nothing"),
      } satisfies { [Key in keyof Step]: fc.Arbitrary<Step[Key]> }),
      { minLength: 2 * 144, maxLength: 3 * 144 },
    ),
    resetAt: fc.option(fc.integer({ min: 10, max: 280 })),
  })
  .map(({ first, steps, resetAt }) =>
    simulate(
      first,
      steps.map((step, n) => ({ ...step, isReset: n === resetAt && first <= 800_000 })),
    ),
  );

const table = (rows: readonly SeriesRow[], msgType: number) =>
  tableOf(rows, {
    resource: "electricity",
    language: "en",
    msgType,
    before: new Map(),
    rangeOf: () => range,
    falls: new Map(),
    withRA: false,
    extraFields: [],
  }).columns;

test("TRUST-001 TRUST-002 growth in tables, by day and in the profile equals that of an oracle, or is unknown", () => {
  let [known, byDays, byProfile] = [0, 0, 0];
  fc.assert(
    fc.property(scenario, ({ rows, truth }) => {
      const trusted = rows.filter((each) => trustedValues(each)[0] !== null);
      const counter: Counter = {
        ts: trusted.map(({ ts }) => ts),
        value: trusted.map(({ v }) => v[0] ?? 0),
        range,
      };
      const between = (from: number, to: number): number | undefined => {
        const [a, b] = [truth.get(from), truth.get(to)];
        return a && b && a.resets === b.resets ? b.energy - a.energy : undefined;
      };

      const { datetime = [], delta_tariff0: delta = [] } = table(rows, 1);
      let last: number | undefined;
      rows.forEach((each, at) => {
        const isTrusted = each.status === statuses.measured.id;
        const expected = isTrusted && last !== undefined ? between(last, each.ts) : undefined;
        if (expected === undefined) expect(delta[at]).toBeNull();
        else expect(delta[at]).toBeCloseTo(expected, 6);
        if (isTrusted) last = each.ts;
        known += expected === undefined ? 0 : 1;
      });
      expect(datetime).toEqual(rows.map(({ ts }) => ts));

      const derived = derive({
        counters: new Map<FieldName, Counter>([["tariff0", counter]]),
        zone: "UTC",
        profileFrom: "tariff0",
        from: midnight,
        to: midnight + 3 * 86_400,
      });
      const ofDays = derived.filter(({ msgType }) => msgType === 101);
      ofDays.forEach(({ ts, values }, at) => {
        const before = ofDays[at - 1];
        if (!before || !truth.has(ts)) return;
        const isRead = counter.ts.includes(ts) && counter.ts.includes(before.ts);
        const expected = between(before.ts, ts);
        const grown = growth(
          { ts: before.ts, value: before.values.tariff0 ?? Number.NaN },
          { ts, value: values.tariff0 ?? Number.NaN },
          counter.range,
        );
        if (isRead && expected !== undefined) expect(grown).toBeCloseTo(expected, 6);
        byDays += isRead ? 1 : 0;
      });
      for (const { msgType, ts, values } of derived) {
        if (msgType !== 5) continue;
        const isRead = counter.ts.includes(ts) && counter.ts.includes(ts + 1800);
        if (!isRead) continue;
        const expected = between(ts, ts + 1800);
        expect(expected, "an energy across a reset").toBeDefined();
        expect((values.power_a_plus ?? Number.NaN) / 2).toBeCloseTo(expected ?? 0, 5);
        byProfile += 1;
      }
    }),
    { numRuns: 60 },
  );
  expect(Math.min(known, byDays, byProfile)).toBeGreaterThan(20);
});
