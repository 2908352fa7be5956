import { statuses, type FieldName } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { decided, found, spanOf, times, withStatus } from "#testing/series/judgedKinds";
import { changed, counterOf, dailyOf, firstMidnight, midnight, valueAt } from "#testing/series/judgedSeries";
import type { Value } from "../judged/judged.ts";
import { type Given } from "../judged/series.ts";

const day = 86_400;
describe("sum_of_tariffs", () => {
  const numbers = { tolerance: 3, share: 2 };
  const amounts = [100, 100, 100, 100, 100];
  /** The second tariff counts so much less on some days. */
  const tariffs = (less: readonly number[], more: Partial<Given> = {}): Given => {
    const at = [0, ...amounts].map((_, n) => midnight(n));
    const dayAt = (ts: number) => (ts - firstMidnight) / day;
    return dailyOf(amounts, {
      ...more,
      levels: new Map([
        ["tariff1", counterOf(at, () => 60, "tariff1")],
        ["tariff2", counterOf(at, (from) => 40 - (less[dayAt(from)] ?? 0), "tariff2")],
      ]),
    });
  };

  test("TRUST-014 is told with both sums of its days", () => {
    expect(found("sum_of_tariffs", tariffs([0, 5, 10.5]), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(2), to: midnight(3), values: 2, code: "sum" },
        evidence: { total: 200, sum: 184.5, difference: 15.5, days: 2, since_at: midnight(1) },
      },
    ]);
    expect(found("sum_of_tariffs", tariffs([0, -6]), numbers)).toMatchObject([
      { evidence: { total: 100, sum: 106, difference: -6 } },
    ]);
    expect(times("sum_of_tariffs", tariffs([0, 5, 10]), { ...numbers, tolerance: 5 })).toEqual([[3, 3, 1]]);
    expect(times("sum_of_tariffs", tariffs([0, 5, 10]), { ...numbers, share: 5 })).toEqual([[3, 3, 1]]);
    expect(times("sum_of_tariffs", tariffs([0, -10.5]), { ...numbers, share: 10 })).toEqual([]);
  });

  test.each(["tariff3", "tariff4", "tariff5", "tariff6"] as const)("TRUST-014 %s counts as well", (field) => {
    const given = tariffs([0, 5]);
    const other = counterOf([0, 1, 2, 3, 4, 5].map(midnight), () => 50, field);
    const all = { ...given, levels: new Map([...given.levels, [field, other]]) };

    expect(found("sum_of_tariffs", all, numbers)[0]?.evidence).toMatchObject({ total: 500, sum: 745 });
  });

  test("TRUST-014 needs all tariffs of a time, trusted and undecided", () => {
    const given = tariffs([0, 5]);
    const without = { ...given, levels: new Map([...given.levels].filter(([field]) => field === "tariff0")) };
    const hole = (field: FieldName, status: keyof typeof statuses) =>
      changed(given, ({ ts }) => (ts === midnight(2) ? { status: statuses[status].id } : {}), field);

    expect(found("sum_of_tariffs", without, numbers)).toEqual([]);
    for (const field of ["tariff0", "tariff1", "tariff2"] as const)
      expect(found("sum_of_tariffs", hole(field, "suspect"), numbers)).toMatchObject([
        { from: midnight(3), evidence: { total: 200, sum: 195, since_at: midnight(1) } },
      ]);
    for (const status of decided)
      expect(found("sum_of_tariffs", hole("tariff0", status), numbers)).toEqual([]);
    const fallen = changed(given, ({ ts }) => (ts === midnight(2) ? { value: 1 } : {}), "tariff1");
    expect(times("sum_of_tariffs", fallen, numbers)).toEqual([[3, 3, 1]]);
    const total = changed(given, ({ ts }) => (ts === midnight(2) ? { value: 1 } : {}));
    expect(times("sum_of_tariffs", total, numbers)).toEqual([[3, 3, 1]]);
    const ofOtherType = changed(given, () => ({ msgType: 101 }), "tariff1");
    expect(found("sum_of_tariffs", ofOtherType, numbers)).toEqual([]);
  });

  test("TRUST-014 a day ends with its last value, at midnight", () => {
    const given = tariffs([0, 5]);
    const noon = new Map(
      [...given.levels].map(([field, values]) => [
        field,
        values.flatMap((value) => [value, { ...value, ts: value.ts + day / 2 }]),
      ]),
    );

    expect(times("sum_of_tariffs", { ...given, levels: noon }, numbers)).toEqual([[2, 2, 1]]);
  });

  test("TRUST-014 is found in the span that has changed", () => {
    const of = (from: number, to: number) =>
      times("sum_of_tariffs", tariffs([0, 5, 10], spanOf(from, to)), numbers);

    expect([of(3, 9), of(3.1, 9), of(0, 2), of(0, 1.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });
});

describe("interval_sum", () => {
  const numbers = { tolerance: 1, share: 2 };
  const amounts = [48, 48, 48, 48];
  /** Hours of a profile that count another power on some days. */
  const profile = (power: readonly number[], everySec = 3600): Value[] =>
    Array.from({ length: (amounts.length * day) / everySec }, (_, at) => {
      const ts = firstMidnight + at * everySec;
      return valueAt("power_a_plus", ts, power[Math.floor((at * everySec) / day)] ?? 2);
    });
  const given = (power: readonly number[], more: Partial<Given> = {}): Given =>
    dailyOf(amounts, { ...more, levels: new Map([["power_a_plus", profile(power)]]) });

  test("TRUST-031 is told with both sums of its days", () => {
    expect(found("interval_sum", given([2, 1.9, 1.5]), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(2), to: midnight(3), values: 2, code: "sum" },
        evidence: { register: 96, sum: 81.6, difference: 14.4, days: 2, since_at: midnight(1) },
      },
    ]);
    expect(found("interval_sum", given([2, 2.5]), numbers)).toMatchObject([
      { evidence: { register: 48, sum: 60, difference: -12 } },
    ]);
    expect(times("interval_sum", given([2, 1.9, 1.5]), { ...numbers, tolerance: 2.4 })).toEqual([[3, 3, 1]]);
    expect(times("interval_sum", given([2, 1.9, 1.5]), { ...numbers, share: 5 })).toEqual([[3, 3, 1]]);
    expect(times("interval_sum", given([2, 2.5]), { ...numbers, share: 21 })).toEqual([]);
  });

  test("TRUST-031 what lies in an interval that a reading cuts is no difference", () => {
    const early = changed(given([2, 1.9]), ({ ts }) => (ts === midnight(2) ? { ts: ts - 1800 } : {}));
    const of = (tolerance: number) => times("interval_sum", early, { tolerance, share: 0 });

    // By the register 48, by the intervals 23.5 hours of 1.9 kW, of which the last one is cut.
    expect(of(1.4)).toEqual([[2 - 1 / 48, 2 - 1 / 48, 1]]);
    expect(of(1.5)).toEqual([]);
  });

  test("TRUST-031 a day ends with its last value, at midnight", () => {
    const all = given([2, 1.5]);
    const main = (all.levels.get("tariff0") ?? []).flatMap((value) => [
      value,
      { ...value, ts: value.ts + day / 2, value: value.value + 24 },
    ]);
    const often = { ...all, levels: new Map([...all.levels, ["tariff0", main] as const]) };

    expect(times("interval_sum", often, numbers)).toEqual([[2, 2, 1]]);
  });

  test("TRUST-031 needs a regular profile of a known length, whole, and trusted", () => {
    const of = (change: (values: Value[]) => readonly Value[]) => {
      const all = given([2, 1.5]);
      return times(
        "interval_sum",
        { ...all, levels: new Map([...all.levels, ["power_a_plus", change(profile([2, 1.5]))]]) },
        numbers,
      );
    };

    expect(of((values) => values)).toEqual([[2, 2, 1]]);
    expect(of(() => [])).toEqual([]);
    expect(of((values) => values.slice(0, 1))).toEqual([]);
    expect(of((values) => values.filter((_, at) => at !== 30))).toEqual([]);
    expect(
      of((values) => values.map((value, at) => (at === 30 ? { ...value, ts: value.ts + 60 } : value))),
    ).toEqual([]);
    expect(of((values) => values.filter(({ ts }) => ts % 7200 === 0))).toEqual([]);
    for (const status of ["suspect", "rejected", "estimated"] as const)
      expect(
        of((values) =>
          values.map((value, at) => (at === 30 ? { ...value, status: statuses[status].id } : value)),
        ),
      ).toEqual([]);
  });

  test("TRUST-031 the register is the total, or the only tariff; decided values are not doubted", () => {
    const renamed = (names: readonly FieldName[]): Given => {
      const all = given([2, 1.5]);
      const main = all.levels.get("tariff0") ?? [];
      return {
        ...all,
        levels: new Map([
          ...names.map((field) => [field, main.map((value) => ({ ...value, field }))] as const),
          ["power_a_plus", profile([2, 1.5])],
        ]),
      };
    };

    expect(found("interval_sum", renamed(["tariff1"]), numbers)).toMatchObject([{ field: "tariff1" }]);
    expect(found("interval_sum", renamed(["tariff1", "tariff2"]), numbers)).toEqual([]);
    expect(found("interval_sum", renamed(["tariff0", "tariff2"]), numbers)).toMatchObject([
      { field: "tariff0" },
    ]);
    for (const status of decided)
      for (const at of [1, 2])
        expect(times("interval_sum", withStatus(given([2, 1.5]), [at], status), numbers)).toEqual([]);
    expect(times("interval_sum", withStatus(given([2, 1.5]), [2], "suspect"), numbers)).toEqual([[3, 3, 1]]);
    const fallen = changed(given([2, 1.5]), ({ ts }) => (ts === midnight(2) ? { value: 1 } : {}));
    expect(times("interval_sum", fallen, numbers)).toEqual([[3, 3, 1]]);
  });

  test("TRUST-031 is found in the span that has changed", () => {
    const of = (from: number, to: number) =>
      times("interval_sum", given([2, 1.9, 1.5], spanOf(from, to)), numbers);

    expect([of(3, 9), of(3.1, 9), of(0, 2), of(0, 1.9)].map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });
});
