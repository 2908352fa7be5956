import { validationKinds, type ValidationKind } from "@metrum/contract/accounting";
import { fields, statuses, type FieldName } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { dayOf, startOfDay } from "#core";
import { healthyGiven, healthyZone, type Rhythm } from "#testing/series/healthySeries";
import { explainedKinds, judge } from "./run/findings.ts";
import type { Value } from "./judged/judged.ts";
import { rulesFor } from "./rules/rules.ts";
import type { Given } from "./judged/series.ts";

const hour = 3600;
const day = 86_400;
const around = Date.parse("2026-06-17T12:00:00+02:00") / 1000;
/** A Wednesday in the judged span. */
const start = startOfDay(healthyZone, dayOf(healthyZone, around) + 14);
const noon = start + 12 * hour;
const during = (ts: number, from: number, hours: number): boolean => ts >= from && ts < from + hours * hour;
/** A reading stands at the end of its time. */
const until = (ts: number, from: number, hours: number): boolean => ts > from && ts <= from + hours * hour;

interface Fault {
  readonly rule: ValidationKind;
  /** What was really consumed. */
  readonly load?: (usual: number, ts: number) => number;
  /** What the device shows instead of the truth. */
  readonly shown?: (given: Given) => Given;
  readonly ratio?: number;
}

/** Values of some fields, changed or taken away. */
const changed =
  (
    isOf: (field: FieldName) => boolean,
    change: (value: Value) => Value | undefined,
  ): ((given: Given) => Given) =>
  (given) => ({
    ...given,
    levels: new Map(
      [...given.levels].map(([field, values]) => [
        field,
        isOf(field) ? values.flatMap((value) => change(value) ?? []) : values,
      ]),
    ),
  });

const main = (field: FieldName): boolean => field === "tariff0";
const counter = (field: FieldName): boolean => fields[field].kind === "counter";
const all = (): boolean => true;
const suspect = statuses.suspect.id;

const faults: Readonly<Record<string, Fault>> = {
  "a short load nine times the usual": {
    rule: "spike",
    load: (usual, ts) => (during(ts, noon, 1) ? usual * 9 : usual),
  },
  "one reading that is far too high": {
    rule: "spike",
    shown: changed(main, (value) => (value.ts === noon ? { ...value, value: value.value + 400 } : value)),
  },
  "ten hours without a word": {
    rule: "gap",
    shown: changed(all, (value) => (until(value.ts, noon, 10) ? undefined : value)),
  },
  "two days of more than twice the usual": {
    rule: "high",
    load: (usual, ts) => (during(ts, start, 48) ? usual * 2.4 : usual),
    shown: (given) => ({
      ...given,
      terms: given.terms && { ...given.terms, contractPower: [{ from: 0, to: null, kw: 100 }] },
    }),
  },
  "a day of a tenth of the usual": {
    rule: "low",
    load: (usual, ts) => (during(ts, start, 24) ? usual / 12 : usual),
  },
  "a reading below the one before": {
    rule: "negative",
    shown: changed(main, (value) =>
      value.ts === noon ? { ...value, value: value.value - 300, status: suspect } : value,
    ),
  },
  "a counter that stands": {
    rule: "frozen",
    shown: (given) => {
      const frozen = given.levels.get("tariff0")?.find(({ ts }) => ts === noon)?.value ?? 0;
      const late = given.levels.get("tariff0")?.find(({ ts }) => ts === noon + 100 * hour)?.value ?? 0;
      return changed(main, (value) =>
        value.ts <= noon ? value : { ...value, value: Math.max(frozen, value.value - (late - frozen)) },
      )(given);
    },
  },
  "no load for four days": {
    rule: "frozen",
    load: (usual, ts) => (during(ts, noon, 100) ? 0 : usual),
  },
  "export where there was none": {
    rule: "reverse_flow",
    shown: changed(
      (field) => field === "tariff_negative0",
      (value) => ({ ...value, value: value.value + Math.max(0, Math.min(value.ts - noon, day)) / 20_000 }),
    ),
  },
  "a tariff that counts nothing for a day": {
    rule: "sum_of_tariffs",
    shown: (given) => {
      const of = (ts: number) => given.levels.get("tariff1")?.find((value) => value.ts === ts)?.value ?? 0;
      const [first, last] = [of(start), of(start + day)];
      return changed(
        (field) => field === "tariff1",
        (value) =>
          value.ts <= start ? value : { ...value, value: Math.max(first, value.value - (last - first)) },
      )(given);
    },
  },
  "one record in several hours": {
    rule: "duplicate",
    shown: (given) => {
      const one = given.levels.get("tariff0")?.find(({ ts }) => ts === noon);
      return changed(main, (value) =>
        one && until(value.ts, noon, 4) ? { ...value, value: one.value, meterAt: one.meterAt } : value,
      )(given);
    },
  },
  "readings in another unit": {
    rule: "unit",
    shown: changed(counter, (value) => (value.ts >= noon ? { ...value, value: value.value * 1000 } : value)),
  },
  "readings in another unit for some hours": {
    rule: "unit",
    shown: changed(main, (value) =>
      until(value.ts, noon, 9) ? { ...value, value: value.value * 1000 } : value,
    ),
  },
  "a meter connected without its transformers": {
    rule: "ratio",
    ratio: 40,
    load: (usual, ts) => (during(ts, start, 72) ? usual / 40 : usual),
  },
  "a meter that parts from its siblings": {
    rule: "sibling",
    load: (usual, ts) => (during(ts, start, 72) ? usual / 4.4 : usual),
  },
  "a clock that is off": {
    rule: "clock",
    shown: (given) => ({
      ...given,
      clock: given.clock.map((each) => (each.ts > noon ? { ...each, offset: each.offset + 400 } : each)),
    }),
  },
  "two weeks of estimates": {
    rule: "prolonged_estimation",
    shown: changed(main, (value) =>
      during(value.ts, noon, 14 * 24) ? { ...value, status: statuses.estimated.id } : value,
    ),
  },
  "a profile that counts a fifth too little for a day": {
    rule: "interval_sum",
    shown: changed(
      (field) => field === "power_a_plus",
      (value) => (during(value.ts, start, 24) ? { ...value, value: value.value * 0.8 } : value),
    ),
  },
  "a load above the contract": {
    rule: "contract_power",
    load: (usual, ts) => (during(ts, noon, 1) ? usual * 2.1 : usual),
    shown: (given) => ({
      ...given,
      terms: given.terms && { ...given.terms, contractPower: [{ from: 0, to: null, kw: 4.4 }] },
    }),
  },
  "a voltage above the band": {
    rule: "voltage",
    shown: changed(
      (field) => field === "voltage1",
      (value) => (during(value.ts, start, 24) ? { ...value, value: 261 } : value),
    ),
  },
  "a phase that is gone": {
    rule: "voltage",
    shown: changed(
      (field) => field === "voltage2" || field === "current2",
      (value) => (during(value.ts, start, 30) ? { ...value, value: 0 } : value),
    ),
  },
  "a current on a phase without voltage": {
    rule: "voltage",
    shown: changed(
      (field) => field === "voltage3",
      (value) => (during(value.ts, start, 30) ? { ...value, value: 2 } : value),
    ),
  },
  "two phases in each other's place": {
    rule: "voltage",
    shown: changed(
      (field) => field === "coruu1" || field === "coruu2",
      (value) => (value.ts > noon ? { ...value, value: 360 - value.value } : value),
    ),
  },
  "a consumer that has left": {
    rule: "no_consumer",
    shown: (given) => ({
      ...given,
      terms: given.terms && { ...given.terms, parties: [{ from: 0, to: start }] },
    }),
  },
  "another meter at the address": {
    rule: "foreign_serial",
    shown: (given) => ({
      ...changed(counter, (value) =>
        value.ts < noon
          ? value
          : { ...value, value: value.value - 900, status: value.ts === noon ? suspect : value.status },
      )(given),
      serial: { named: "55001234", registered: "41200045", since: noon, lastAt: given.now },
    }),
  },
};

function kindsOf({ load, shown = (given) => given, ratio = 1 }: Fault, rhythm: Rhythm) {
  const healthy = healthyGiven({ around, rhythm, jitterSec: 0, ratio, ...(load ? { load } : {}) });
  const rules = rulesFor([], { resource: "electricity", modelId: 1, pointIds: [] });
  return judge(shown(healthy), rules);
}

describe.each(["hour", "halfHour"] as const)("read every %s", (rhythm) => {
  test.each(Object.entries(faults))("TRUST-031 %s opens exactly one rule", (_, fault) => {
    const found = kindsOf(fault, rhythm);
    expect(found.map(({ kind, field, code }) => `${kind} ${field} ${code}`)).toHaveLength(1);
    expect(found[0]?.kind).toBe(fault.rule);
  });
});

test("TRUST-031 every rule has a fault of its own", () => {
  expect([...new Set(Object.values(faults).map(({ rule }) => rule))].toSorted()).toEqual(
    validationKinds.toSorted(),
  );
});

test("TRUST-031 a finding says which rules yield to it", () => {
  const yielding = (name: string) =>
    kindsOf(faults[name] ?? { rule: "gap" }, "hour").flatMap((each) => explainedKinds(each.evidence));

  expect(yielding("a short load nine times the usual")).toEqual(["contract_power"]);
  expect(yielding("a meter connected without its transformers")).toContain("low");
  expect(yielding("a day of a tenth of the usual")).toEqual([]);
});
