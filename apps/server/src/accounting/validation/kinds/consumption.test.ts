import { statuses } from "@metrum/vocabulary";
import { describe, expect, test } from "vitest";
import { decided, found, spanOf, times, withStatus } from "#testing/series/judgedKinds";
import { changed, counterOf, dailyOf, midnight } from "#testing/series/judgedSeries";
import type { Numbers } from "../judged/judged.ts";
import { type Given } from "../judged/series.ts";

const day = 86_400;

const usual = (days: number, amount = 24): number[] => Array.from({ length: days }, () => amount);

describe("spike", () => {
  const numbers = { factor: 2.5, length: 3, least: 100, days: 30 };
  const amounts = [...usual(13), 40, 240, 120, ...usual(3)];

  test("TRUST-014 is told with its highest value and what is usual, which one odd day does not raise", () => {
    expect(found("spike", dailyOf(amounts), { ...numbers, least: 96 })).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(15), to: midnight(15), values: 1, code: "spike" },
        evidence: { values: 1, times: 10, highest: 240, usual: 24, limit: 60, limit_per_hour: 2.5 },
      },
    ]);
    expect(times("spike", dailyOf(amounts), { ...numbers, least: 95 })).toEqual([[15, 16, 2]]);
    expect(times("spike", dailyOf(amounts), { ...numbers, least: 216 })).toEqual([]);
    expect(times("spike", dailyOf([...usual(14), 60, 60.1, 24]), { ...numbers, least: 0 })).toEqual([
      [16, 16, 1],
    ]);
  });

  test("TRUST-014 is no longer than set; two of them are two findings", () => {
    const long = [...usual(14), 240, 230, 250, ...usual(31), 300, 24];

    expect(times("spike", dailyOf(long), numbers)).toEqual([
      [15, 17, 3],
      [49, 49, 1],
    ]);
    expect(found("spike", dailyOf(long), numbers)[0]?.evidence).toMatchObject({ highest: 250, times: 10.4 });
    expect(times("spike", dailyOf(long), { ...numbers, length: 2 })).toEqual([[49, 49, 1]]);
  });

  test.each(decided)("TRUST-014 a value that is %s is none, and parts those beside it", (status) => {
    const three = dailyOf([...usual(14), 240, 240, 1000, 24]);

    expect(times("spike", three, numbers)).toEqual([[15, 17, 3]]);
    expect(times("spike", withStatus(three, [16], status), numbers)).toEqual([
      [15, 15, 1],
      [17, 17, 1],
    ]);
  });

  test("TRUST-014 where nothing was used any use is one; without a history none is", () => {
    expect(found("spike", dailyOf([...usual(14, 0), 120, 0]), numbers)[0]?.evidence).toMatchObject({
      ...{ usual: 0, limit: 0, limit_per_hour: 0, times: 5_000_000 },
    });
    expect(times("spike", dailyOf([...usual(6), 240, 24]), numbers)).toEqual([]);
  });
});

describe("high", () => {
  const numbers = { factor: 2, least: 5, days: 30 };
  const amounts = [...usual(9), 26, 50, 60, 24];

  test("TRUST-014 is told with its highest day against the highest usual one", () => {
    expect(found("high", dailyOf(amounts), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(11), to: midnight(12), values: 2, code: "high" },
        evidence: { days: 2, times: 2.5, highest: 60, usual: 24, limit: 48 },
      },
    ]);
    expect(times("high", dailyOf(amounts), { ...numbers, least: 26 })).toEqual([[12, 12, 1]]);
    expect(times("high", dailyOf(amounts), { ...numbers, factor: 3 })).toEqual([]);
  });

  test("TRUST-014 a week of history says what is usual, and only where something is used", () => {
    const after = (days: number, amount: number) =>
      times("high", dailyOf([...usual(days, amount), 60, 24]), numbers);

    expect(after(7, 24)).toEqual([[8, 8, 1]]);
    expect(after(6, 24)).toEqual([]);
    expect(after(14, 0)).toEqual([]);
  });

  test.each(decided)("TRUST-014 a run with a value that is %s is none", (status) => {
    for (const at of [11, 12])
      expect(times("high", withStatus(dailyOf(amounts), [at], status), numbers)).toEqual([]);
    expect(times("high", withStatus(dailyOf(amounts), [10], status), numbers)).toHaveLength(1);
  });
});

describe("low", () => {
  const numbers = { share: 20, least: 2, days: 30 };
  const amounts = [...usual(13), 20, 3, 0.52, 24];

  test("TRUST-014 is told with its lowest day against the lowest usual one", () => {
    expect(found("low", dailyOf(amounts), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(15), to: midnight(16), values: 2, code: "low" },
        evidence: { days: 2, percent: 3, lowest: 0.52, usual: 20, limit: 4 },
      },
    ]);
    expect(times("low", dailyOf(amounts), { ...numbers, share: 15 })).toEqual([]);
    expect(times("low", dailyOf(amounts), { ...numbers, share: 15.1 })).toEqual([[15, 15, 1]]);
    expect(times("low", dailyOf(amounts), { ...numbers, least: 20 })).toEqual([[15, 15, 1]]);
    expect(times("low", dailyOf(amounts), { ...numbers, least: 20.1 })).toEqual([]);
  });

  test("TRUST-014 a day without any use is none, and parts those beside it", () => {
    expect(times("low", dailyOf([...usual(14), 3, 0, 2, 24]), numbers)).toEqual([[15, 15, 1]]);
  });

  test("TRUST-014 two weeks of history say what is usual, or all days that the rule looks at", () => {
    const after = (history: number, days: number) =>
      times("low", dailyOf([...usual(history), 3, 24]), { ...numbers, days });

    expect(after(14, 30)).toEqual([[15, 15, 1]]);
    expect(after(13, 30)).toEqual([]);
    expect(after(7, 7)).toEqual([[8, 8, 1]]);
    expect(after(6, 7)).toEqual([]);
  });
});

describe("ratio", () => {
  const numbers = { least: 5, tolerance: 20, length: 2 };
  const history = [...usual(7, 20), ...usual(7, 28), ...usual(7, 24)];

  test("TRUST-014 is told with the change against the same weekdays", () => {
    expect(found("ratio", dailyOf([...history, 2.76, 2.8, 24], { ratio: 10 }), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(22), to: midnight(23), values: 2, code: "ratio" },
        evidence: { days: 2, ratio: 10, times: 0.12, highest: 2.8 },
      },
    ]);
    expect(times("ratio", dailyOf([...history, 240, 250, 24], { ratio: 10 }), numbers)).toEqual([
      [22, 23, 2],
    ]);
  });

  test("TRUST-014 needs the ratio, the length and the tolerance that are set", () => {
    const given = (of: number) => dailyOf([...history, 2.88, 2.88, 24], { ratio: of });

    expect(times("ratio", given(10), { ...numbers, least: 10 })).toEqual([[22, 23, 2]]);
    expect(times("ratio", given(10), { ...numbers, least: 11 })).toEqual([]);
    expect(times("ratio", given(10), { ...numbers, length: 3 })).toEqual([]);
    expect(times("ratio", given(10), { ...numbers, tolerance: 19 })).toEqual([]);
    expect(times("ratio", given(20), numbers)).toEqual([]);
  });

  test("TRUST-014 a weekday is usual after two of them; a day without use is no change", () => {
    const after = (weeks: number, amount: number) =>
      times("ratio", dailyOf([...usual(7 * weeks), amount, amount], { ratio: 10 }), numbers);

    expect(after(2, 2.4)).toEqual([[15, 16, 2]]);
    expect(after(1, 2.4)).toEqual([]);
    expect(after(2, 0)).toEqual([]);
    expect(times("ratio", dailyOf([...usual(14, 0), 24, 24], { ratio: 10 }), numbers)).toEqual([]);
  });
});

describe("sibling", () => {
  const numbers = { factor: 4, count: 3, length: 2, least: 3, days: 30 };
  const others = (amount: (at: number) => number | undefined, count = 3) =>
    Array.from(
      { length: count },
      () =>
        new Map(
          usual(40).flatMap((_, at): [number, number][] => {
            const of = amount(at);
            return of === undefined ? [] : [[midnight(at) / day, of]];
          }),
        ),
    );

  test("TRUST-014 is told with its share of the siblings against the usual one", () => {
    const siblings = others(() => 20);

    expect(found("sibling", dailyOf([...usual(10, 24.12), 123.16, 130, 24], { siblings }), numbers)).toEqual([
      {
        ...{ field: "tariff0", msgType: 100, from: midnight(11), to: midnight(12), values: 2 },
        ...{ code: "sibling", evidence: { days: 2, times: 6.16, usual: 1.21, highest: 130 } },
      },
    ]);
    expect(times("sibling", dailyOf([...usual(10), 5, 5, 24], { siblings }), numbers)).toEqual([[11, 12, 2]]);
    expect(
      times("sibling", dailyOf([...usual(10), 5, 5, 24], { siblings }), { ...numbers, least: 19 }),
    ).toEqual([]);
    expect(times("sibling", dailyOf([...usual(10), 0, 0, 24], { siblings }), numbers)).toEqual([]);
  });

  test("TRUST-014 is off by more than its factor, above or below", () => {
    const of = (...amounts: readonly number[]) =>
      times("sibling", dailyOf([...usual(10), ...amounts, 24], { siblings: others(() => 20) }), {
        ...{ ...numbers, length: 1, least: 0 },
      });

    expect([of(96), of(6)]).toEqual([[], []]);
    expect([of(96.1), of(5.9)]).toEqual([[[11, 11, 1]], [[11, 11, 1]]]);
  });

  test("TRUST-014 needs ten days together, enough siblings, and some use of theirs", () => {
    const of = (history: number, siblings: Given["siblings"], days = 30) =>
      times("sibling", dailyOf([...usual(history), 123, 123, 24], { siblings }), { ...numbers, days });

    expect(
      of(
        9,
        others(() => 24),
      ),
    ).toEqual([]);
    expect(
      of(
        9,
        others(() => 24),
        9,
      ),
    ).toEqual([[10, 11, 2]]);
    expect(
      of(
        10,
        others(() => 24, 2),
      ),
    ).toEqual([]);
    expect(
      of(
        10,
        others((at) => (at === 10 ? undefined : 24)),
      ),
    ).toEqual([]);
    expect(
      of(
        10,
        others((at) => (at === 10 ? 0 : 24)),
      ),
    ).toEqual([]);
    const oneAway = [...others(() => 24, 2), ...others((at) => (at === 10 ? undefined : 24), 1)];
    expect(of(10, oneAway)).toEqual([]);
    const rested = dailyOf([...usual(10, 0), 123, 123, 24], { siblings: others(() => 24) });
    expect(times("sibling", rested, numbers)).toEqual([]);
    const apart = dailyOf([...usual(10, 48), 240, 240, 48], { siblings: others(() => 24) });
    expect(times("sibling", apart, { ...numbers, least: 191 })).toEqual([[11, 12, 2]]);
    expect(times("sibling", apart, { ...numbers, least: 192 })).toEqual([]);
    expect(
      of(
        10,
        others(() => 0),
      ),
    ).toEqual([]);
    expect(
      of(
        12,
        others((at) => (at === 3 || at === 4 ? undefined : 24)),
      ),
    ).toEqual([[13, 14, 2]]);
  });
});

describe("reverse_flow", () => {
  const numbers = { amount: 0.5, days: 30 };
  /** Twice a day, half of it each time. */
  const exported = (amounts: readonly number[], more: Partial<Given> = {}): Given => {
    const at = [0, ...amounts.flatMap((_, n) => [n + 0.5, n + 1])].map(midnight);
    const levels = counterOf(
      at,
      (from) => (amounts[Math.floor((from - midnight(0)) / day)] ?? 0) / 2,
      "tariff_negative0",
    );
    return dailyOf(usual(amounts.length), { ...more, levels: new Map([["tariff_negative0", levels]]) });
  };

  test("TRUST-014 is told with its values; midnight ends a day", () => {
    expect(found("reverse_flow", exported([...usual(8, 0), 3, 7, 0]), numbers)).toEqual([
      {
        ...{ field: "tariff_negative0", msgType: 100, from: midnight(8.5), to: midnight(10), values: 4 },
        ...{ code: "reverse", evidence: { amount: 10, days: 2 } },
      },
    ]);
  });

  test("TRUST-014 needs a week of history in which it was not usual, and twice of what there was", () => {
    const of = (amounts: readonly number[], own: Numbers = numbers) =>
      times("reverse_flow", exported([...amounts, 3, 0]), own);

    expect(of(usual(8, 0))).toEqual([[8.5, 9, 2]]);
    expect(of(usual(7, 0))).toEqual([[7.5, 8, 2]]);
    expect(of(usual(6, 0))).toEqual([]);
    expect(of([0, 1.4, ...usual(6, 0)])).toEqual([[8.5, 9, 2]]);
    expect(of([0, 1.5, ...usual(6, 0)])).toEqual([]);
    expect(of([0, 1, 1, ...usual(5, 0)])).toEqual([[8.5, 9, 2]]);
    expect(of([0, 1, 1, 1, ...usual(4, 0)])).toEqual([]);
    expect(of([2, ...usual(8, 0)], { ...numbers, days: 8 })).toEqual([[9.5, 10, 2]]);
    expect(of([0, 2, ...usual(7, 0)], { ...numbers, days: 8 })).toEqual([]);
    expect(of(usual(8, 0), { ...numbers, amount: 3 })).toEqual([]);
  });

  test.each(decided)(
    "TRUST-014 a day with a value that is %s is none, one with a doubtful value is",
    (status) => {
      const given = exported([...usual(8, 0), 3, 0]);
      const withOne = (of: keyof typeof statuses) =>
        changed(
          given,
          ({ ts }) => (ts === midnight(8.5) ? { status: statuses[of].id } : {}),
          "tariff_negative0",
        );

      expect(times("reverse_flow", withOne(status), numbers)).toEqual([]);
      expect(times("reverse_flow", withOne("suspect"), numbers)).toEqual([[9, 9, 1]]);
    },
  );

  test("TRUST-014 is found in the span that has changed", () => {
    const of = (from: number, to: number) =>
      times("reverse_flow", exported([...usual(8, 0), 3, 0, 0], spanOf(from, to)), numbers);

    expect(of(9, 11)).toHaveLength(1);
    expect(of(9.1, 11)).toEqual([]);
    expect(of(0, 8)).toHaveLength(1);
    expect(of(0, 7.9)).toEqual([]);
  });
});
