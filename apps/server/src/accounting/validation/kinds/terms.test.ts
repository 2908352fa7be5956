import { statuses } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { found, spanOf, times } from "#testing/series/judgedKinds";
import { changed, counterOf, dailyOf, midnight, valueAt } from "#testing/series/judgedSeries";
import type { Numbers, Terms } from "../judged/judged.ts";
import { judgedProfile, type Given } from "../judged/series.ts";
import { kinds } from "./index.ts";

const point: Terms = {
  measured: [{ from: midnight(0), to: null }],
  contractPower: [{ from: midnight(0), to: null, kw: 2 }],
  parties: [],
  hasParties: true,
  ratioOver: () => 2,
};

describe("no_consumer", () => {
  const numbers = { amount: 10 };
  const terms: Terms = { ...point, parties: [{ from: midnight(0), to: midnight(2) }] };

  test("TRUST-031 is told with what was used behind the transformers", () => {
    expect(found("no_consumer", dailyOf([24, 24, 6, 7, 5], { terms }), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(3), to: midnight(4), values: 2 },
        ...{ code: "no_consumer", evidence: { used: 26, highest: 14, days: 2 } },
      },
    ]);
  });

  test("TRUST-031 a time between readings that is longer than a day counts by its day", () => {
    const given = dailyOf([24, 24, 6, 0, 0, 18, 4], { terms });
    const rare = (values: readonly number[]): Given => ({
      ...given,
      levels: new Map([
        ["tariff0", (given.levels.get("tariff0") ?? []).filter((_, at) => !values.includes(at))],
      ]),
    });

    expect(found("no_consumer", rare([4, 5]), { amount: 11 })).toMatchObject([
      { from: midnight(3), to: midnight(6), values: 2, evidence: { used: 48, highest: 12, days: 4 } },
    ]);
    expect(times("no_consumer", rare([4, 5]), { amount: 12 })).toEqual([]);
  });

  test("TRUST-031 needs a company that ties consumers, a measured point and a known ratio", () => {
    const of = (other: Partial<Terms>, more: Partial<Given> = {}) =>
      times("no_consumer", dailyOf([24, 24, 6, 7, 5], { terms: { ...terms, ...other }, ...more }), numbers);

    expect(of({ hasParties: false })).toEqual([]);
    const later = { from: midnight(4), to: null };
    expect(of({ parties: [...terms.parties, later] })).toEqual([[3, 4, 2]]);
    expect(of({ parties: [...terms.parties, { from: midnight(3), to: null }] })).toEqual([[3, 3, 1]]);
    expect(of({ measured: [{ from: midnight(3), to: null }] })).toEqual([[4, 4, 1]]);
    expect(of({ ratioOver: () => null })).toEqual([]);
    expect(of({ parties: [{ from: midnight(0), to: null }] })).toEqual([]);
    expect(of({ parties: [{ from: midnight(3) - 1, to: midnight(3) }] })).toEqual([
      [1, 2, 2],
      [4, 4, 1],
    ]);
    expect(of({}, spanOf(4, 5))).toEqual([[3, 4, 2]]);
    expect(of({}, spanOf(0, 3))).toEqual([[3, 4, 2]]);
    expect(of({}, spanOf(4.1, 5))).toEqual([]);
    expect(of({}, spanOf(0, 2.9))).toEqual([]);
    expect(found("no_consumer", dailyOf([24, 24]), numbers)).toEqual([]);
  });
});

describe("contract_power", () => {
  const numbers = { share: 0, length: 1 };
  const terms = { ...point, contractPower: [{ from: midnight(0), to: null, kw: 3 }] };

  test("TRUST-031 is told with its highest power behind the transformers", () => {
    expect(found("contract_power", dailyOf([24, 48, 60, 54, 24], { terms }), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(2), to: midnight(4), values: 3, code: "over" },
        evidence: { power: 5, contract: 3, bound: 3, values: 3 },
      },
    ]);
    expect(
      found("contract_power", dailyOf([24, 48, 60, 54, 24], { terms }), { ...numbers, share: 50 }),
    ).toMatchObject([
      { from: midnight(3), to: midnight(3), evidence: { power: 5, contract: 3, bound: 4.5 } },
    ]);
  });

  test("TRUST-031 two times with one within the contract between them are two findings", () => {
    expect(times("contract_power", dailyOf([24, 48, 24, 48, 24], { terms }), numbers)).toEqual([
      [2, 2, 1],
      [4, 4, 1],
    ]);
  });

  test("TRUST-031 needs the contract, the point, the ratio and the length", () => {
    const of = (other: Partial<Terms>, more: Partial<Given> = {}, own: Numbers = numbers) =>
      times("contract_power", dailyOf([24, 48, 24], { terms: { ...terms, ...other }, ...more }), own);

    expect(of({})).toEqual([[2, 2, 1]]);
    expect(of({ contractPower: [] })).toEqual([]);
    expect(of({ contractPower: [{ from: midnight(1.5), to: null, kw: 3 }] })).toEqual([]);
    expect(of({ measured: [{ from: midnight(1.5), to: null }] })).toEqual([]);
    expect(of({ ratioOver: () => null })).toEqual([]);
    expect(of({}, {}, { share: 0, length: 2 })).toEqual([]);
    expect(of({}, spanOf(2, 3))).toEqual([[2, 2, 1]]);
    expect(of({}, spanOf(0, 2))).toEqual([[2, 2, 1]]);
    expect(of({}, spanOf(2.1, 3))).toEqual([]);
    expect(of({}, spanOf(0, 1.9))).toEqual([]);
    expect(found("contract_power", dailyOf([24, 48, 24]), numbers)).toEqual([]);
  });

  test("TRUST-031 a register read more often is judged by its half-hours, estimates and doubts left out", () => {
    const power = (kw: readonly number[], everySec: number): Given => {
      const at = [0, ...kw].map((_, n) => midnight(0) + n * everySec);
      const levels = counterOf(
        at,
        (from, to) => ((kw[(from - midnight(0)) / everySec] ?? 0) * (to - from)) / 3600,
      );
      return { ...dailyOf([1], { terms, ...spanOf(0, 1) }), levels: new Map([["tariff0", levels]]) };
    };
    const of = (given: Given) =>
      found("contract_power", given, numbers).map(({ from, to, values, evidence }) => [
        (from - midnight(0)) / 60,
        (to - midnight(0)) / 60,
        values,
        evidence["power"],
      ]);

    // Ten minutes of 6 kW among 1 kW are no half-hour of more than 1.5.
    expect(of(power([1, 1, 1, 1, 1.4, 1, 1, 1, 1], 600))).toEqual([]);
    expect(of(power([1, 1, 1, 1, 4, 1, 1, 1, 1], 600))).toEqual([[60, 60, 1, 4]]);
    // Some seconds too early a reading ends a half-hour all the same, and its power is that of a whole one.
    expect(of(power([1, 1.8, 1], 1740))).toEqual([[58, 58, 1, 3.48]]);
    expect(of(power([1, 1.8, 1], 1739))).toEqual([]);
    const doubt = (status: keyof typeof statuses) =>
      changed(power([1, 2, 1, 1], 1800), ({ ts }) =>
        ts === midnight(0) + 3600 ? { status: statuses[status].id } : {},
      );
    expect(of(doubt("measured"))).toEqual([[60, 60, 1, 4]]);
    expect(of(doubt("suspect"))).toEqual([]);
    expect(of(doubt("estimated"))).toEqual([]);
  });

  test("TRUST-031 a profile is judged by whole half-hours, without its estimates", () => {
    const profile = (kw: readonly number[], everySec: number, estimatedAt?: number) => {
      const levels = kw.map((value, at) => ({
        ...valueAt("power_a_plus", midnight(0) + at * everySec, value),
        ...(at === estimatedAt && { status: statuses.estimated.id }),
      }));
      const judged = judgedProfile({
        ...dailyOf([1], { terms }),
        levels: new Map([["power_a_plus", levels]]),
      });
      return judged
        ? kinds.contract_power
            .judge(judged, numbers)
            .map(({ field, from, to, values, evidence }) => [
              field,
              (from - midnight(0)) / 60,
              (to - midnight(0)) / 60,
              values,
              evidence["power"],
            ])
        : undefined;
    };

    expect(profile([1, 2, 3, 1], 1800)).toEqual([["power_a_plus", 30, 60, 2, 6]]);
    expect(profile([1, 2, 3, 1], 1800, 2)).toEqual([["power_a_plus", 30, 30, 1, 4]]);
    expect(profile([1, 1, 2, 3], 3600)).toEqual([["power_a_plus", 120, 180, 2, 6]]);
    // Quarters: 1 and 1, 2 and 3, 9 and none.
    expect(profile([1, 1, 2, 3, 9], 900)).toEqual([["power_a_plus", 45, 45, 1, 5]]);
    expect(profile([1, 1, 2, 3, 3, 1], 900, 3)).toEqual([["power_a_plus", 75, 75, 1, 4]]);
  });
});
