import type { AccountingPointId } from "@metrum/vocabulary";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountOf, exactOf, factorOf, percentOf, shareOf, shown, wholeOf } from "#core";
import { monthsOf, periodSums, pointSum, sumsOver, type Input } from "./compute.ts";
import { unpackedDays, type PackedDay, type PackedDays } from "#accounting/accounting-points";
import { amountAt, shownAmounts } from "./dayAmounts.ts";
import { dayLengths, dayNumber, seriesOf } from "./series.ts";
import type { NamedMember } from "./store.ts";

const daySec = 86_400;
const first = dayNumber("2026-11-01");

const member = (role: NamedMember["role"], more: Partial<NamedMember> = {}): NamedMember => ({
  point_id: 1 as AccountingPointId,
  role,
  coefficient: "1",
  from_day: null,
  to_day: null,
  name: "Feeder",
  timezone: "Asia/Ulaanbaatar",
  ...more,
});

const row = (
  at: number,
  amount: string | null,
  { knownSec = amount === null ? 0 : daySec, ...more }: Partial<PackedDay> & { knownSec?: number } = {},
): PackedDay => ({
  at,
  amount,
  missingSec: daySec - knownSec,
  gapAmount: null,
  gapFrom: 0,
  gapSec: 0,
  estimated: "0",
  gapEstimated: "0",
  flags: 0,
  ...more,
});

/** Days none of which is told by its amount alone. */
const detailed = (others: readonly PackedDay[]): PackedDays => ({ whole: [], others });

interface Point {
  readonly of: NamedMember;
  readonly rows: readonly PackedDay[];
}

function inputOf(days: number, points: readonly Point[], more: Partial<Input> = {}): Input {
  const range = { first, last: first + days - 1 };
  const lengths = dayLengths("Asia/Ulaanbaatar", range);
  return {
    first,
    lengths,
    series: points.map(({ of, rows }) => seriesOf(of, { range, lengths, days: detailed(rows), losses: [] })),
    rule: "none",
    lossText: null,
    allowed: 5,
    ...more,
  };
}

const days = (amounts: readonly (string | null)[]): PackedDay[] =>
  amounts.map((amount, at) => row(at, amount));
const whole = (input: Input) => periodSums(input, { from: 0, to: input.lengths.length - 1 });

describe("exact decimals", () => {
  it("BAL-005 0.1 and 0.2 are 0.3, a product with a coefficient is exact", () => {
    const sum = amountOf("0.1", factorOf("1")) + amountOf("0.2", factorOf("1"));

    expect(sum).toBe(exactOf("0.3"));
    expect(amountOf("123456789.123456789012345678", factorOf("-0.000001"))).toBe(
      -123456789123456789012345678n,
    );
    expect(shown(amountOf("-12.3456785", factorOf("1")))).toBe(-12.345679);
    expect([wholeOf("-1.25", 1), wholeOf("1.25", 1), wholeOf("7", 2), wholeOf("-0.04", 1)]).toEqual([
      -13n,
      13n,
      700n,
      0n,
    ]);
    expect(shown(shareOf(exactOf("200"), "2.5"))).toBe(500);
    expect([percentOf(1n, 3n), percentOf(-1n, 3n), percentOf(1n, 0n)]).toEqual([33.333333, -33.333333, null]);
  });

  it("BAL-005 sums equal those of whole thousandths for any amounts", () => {
    const amount = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 31 }), (pairs) => {
        const text = (value: number) => (value / 1000).toFixed(3);
        const input = inputOf(pairs.length, [
          { of: member("in"), rows: pairs.map(([into], at) => row(at, text(into))) },
          { of: member("out"), rows: pairs.map(([, out], at) => row(at, text(out))) },
        ]);
        const sum = (of: 0 | 1) => pairs.reduce((all, pair) => all + pair[of], 0);

        expect(whole(input).imbalance).toBe((sum(0) - sum(1)) / 1000);
      }),
      { numRuns: 50 },
    );
  });
});

describe("amounts by day", () => {
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.constantFrom(0, 3, 6, 9))
    .map(([units, places]) => {
      const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
      const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
      return `${units < 0n ? "-" : ""}${text}`;
    });
  const small = fc.integer({ min: 0, max: 1e9 }).map((units) => (units / 1000).toFixed(3));
  const amounts = fc.array(fc.oneof(small, amount), { minLength: 1, maxLength: 40 });

  it("BAL-005 sums, single amounts and what is shown are those of exact decimals, however large or fine", () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom("1", "-1", "0.5", "0.000001", "3.25"), (texts, coefficient) => {
        const packed = unpackedDays(
          [{ shift: 0, days: texts.map((text, at) => `${String(at)}:${text}`).join(" ") }],
          texts.length,
        );
        const range = { first, last: first + texts.length - 1 };
        const lengths = dayLengths("Asia/Ulaanbaatar", range);
        const of = member("in", { coefficient });
        const series = seriesOf(of, { range, lengths, days: packed, losses: [] });
        const same = seriesOf(of, { range, lengths, days: detailed(days(texts)), losses: [] });
        const exact = texts.map((text) => amountOf(text, factorOf(coefficient)));
        const all = texts.map((_, at) => at);
        const total = exact.reduce((sum, each) => sum + each, 0n);

        expect(all.map((at) => amountAt(series.amounts, at))).toEqual(exact);
        expect(shownAmounts(series.amounts, all)).toEqual(exact.map(shown));
        expect(
          pointSum(
            series,
            { from: 0, to: texts.length - 1 },
            all.map(() => false),
          ),
        ).toBe(total);
        expect(series.amounts).toEqual(same.amounts);
        expect(series.missing.every((sec) => sec === 0)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it("BAL-005 numbers are carried before their sum has an error", () => {
    const texts = Array.from({ length: 40 }, () => "4503599627.370495");
    const packed = unpackedDays(
      [{ shift: 0, days: texts.map((text, at) => `${String(at)}:${text}`).join(" ") }],
      texts.length,
    );
    const range = { first, last: first + texts.length - 1 };
    const lengths = dayLengths("Asia/Ulaanbaatar", range);
    const series = seriesOf(member("in"), { range, lengths, days: packed, losses: [] });

    expect(series.amounts.fine.size).toBe(0);
    expect(pointSum(series, { from: 0, to: 39 }, [])).toBe(40n * exactOf("4503599627.370495"));
  });
});

describe("the sums of a period", () => {
  it("BAL-005 input, output, losses, imbalance in unit and percent, beyond the limit or not", () => {
    const points = [
      { of: member("in"), rows: days(["100", "100"]) },
      { of: member("out", { coefficient: "2" }), rows: days(["40", "40"]) },
      { of: member("loss"), rows: days(["5", "5"]) },
    ];

    expect(whole(inputOf(2, points))).toMatchObject({
      in: 200,
      out: 160,
      losses: 10,
      imbalance: 30,
      imbalance_percent: 15,
      computed_days: 2,
      covered_percent: 100,
      state: "exceeded",
    });
    expect(whole(inputOf(2, points, { allowed: 15 })).state).toBe("ok");
    expect(whole(inputOf(2, points, { rule: "percent", lossText: "2.5" })).losses).toBe(15);
    expect(whole(inputOf(2, points, { rule: "fixed", lossText: "1.25" })).losses).toBe(12.5);
  });

  it("BAL-006 a missing day is never zero: the day is left out of every point, and the total says over which days it is", () => {
    const input = inputOf(4, [
      { of: member("in"), rows: days(["100", "100", "100", "100"]) },
      { of: member("out"), rows: [row(0, "99"), row(1, "99"), row(3, "50", { knownSec: daySec / 2 })] },
    ]);

    expect(whole(input)).toMatchObject({
      in: 200,
      out: 198,
      imbalance: 2,
      days: 4,
      computed_days: 2,
      covered_percent: 81.2,
      state: "incomplete",
    });
  });

  it("BAL-006 a row without an amount, or with one second missing, is not a whole day", () => {
    const input = inputOf(2, [
      { of: member("in"), rows: days(["10", "10"]) },
      {
        of: member("out"),
        rows: [row(0, null, { knownSec: daySec }), row(1, "10", { knownSec: daySec - 1 })],
      },
    ]);

    expect(whole(input)).toMatchObject({ in: null, imbalance: null, computed_days: 0, state: "incomplete" });
    expect(whole(input).covered_percent).toBeLessThan(100);
  });

  it("BAL-006 a gap that a reading closes within the period is in the total and in no day; one that leaves it is left out", () => {
    const gapped = [
      row(0, "10"),
      row(1, "4", { knownSec: 30_000 }),
      row(3, "6", { knownSec: 40_000, gapAmount: "20", gapFrom: 1, gapSec: 3 * daySec - 70_000 }),
      row(4, "10"),
    ];
    const input = inputOf(5, [
      { of: member("in"), rows: days(["10", "10", "10", "10", "10"]) },
      { of: member("out"), rows: gapped },
    ]);

    expect(whole(input)).toMatchObject({ in: 50, out: 50, imbalance: 0, computed_days: 5 });
    expect(periodSums(input, { from: 0, to: 2 })).toMatchObject({ in: 10, out: 10, computed_days: 1 });
    expect(periodSums(input, { from: 2, to: 4 })).toMatchObject({ in: 10, out: 10, computed_days: 1 });
  });

  it("BAL-006 a day of one point that is missing within the closed gap of another takes the whole gap away", () => {
    const input = inputOf(4, [
      { of: member("in"), rows: [row(0, "10"), row(1, "10"), row(3, "10")] },
      {
        of: member("out"),
        rows: [
          row(0, "10"),
          row(1, "5", { knownSec: 9 }),
          row(3, "5", { knownSec: 9, gapAmount: "20", gapFrom: 1, gapSec: 3 * daySec - 18 }),
        ],
      },
    ]);

    expect(whole(input)).toMatchObject({ in: 10, out: 10, computed_days: 1 });
  });

  it("BAL-006 the end of a closed gap does not hide a hole that begins on the same day", () => {
    const input = inputOf(4, [
      { of: member("in"), rows: days(["10", "10", "10", "10"]) },
      {
        of: member("out"),
        rows: [
          row(0, "5", { knownSec: 9 }),
          row(1, "5", { knownSec: 9, gapAmount: "10", gapFrom: 0, gapSec: 90_000 }),
          row(3, "10"),
        ],
      },
    ]);

    expect(sumsOver(input, { from: 0, to: 3 }).isOut).toEqual([true, true, true, false]);
  });

  it("BAL-005 a point takes part on the days of the formula only", () => {
    const input = inputOf(2, [
      { of: member("in"), rows: days(["10", "10"]) },
      { of: member("out", { to_day: "2026-11-01" }), rows: days(["10", "10"]) },
      { of: member("out", { from_day: "2026-11-02" }), rows: [row(1, "9")] },
    ]);

    expect(whole(input)).toMatchObject({ in: 20, out: 19, computed_days: 2, covered_percent: 100 });
  });

  it("BAL-005 BAL-006 a gap that began before a point was in the formula is not counted with it", () => {
    const gapped = [
      row(0, null),
      row(1, null),
      row(2, "5", { knownSec: 40_000, gapAmount: "30", gapFrom: 0, gapSec: 3 * daySec - 40_000 }),
      row(3, "10"),
    ];
    const input = inputOf(4, [
      { of: member("in"), rows: days(["10", "10", "10", "10"]) },
      { of: member("out", { from_day: "2026-11-02" }), rows: gapped },
    ]);

    expect(sumsOver(input, { from: 0, to: 3 }).isOut).toEqual([false, true, true, false]);
    expect(whole(input)).toMatchObject({ in: 20, out: 10, computed_days: 2 });
  });

  it("BAL-005 months are those of the calendar", () => {
    const input = inputOf(40, [
      { of: member("in"), rows: days(Array.from({ length: 40 }, () => "1")) },
      { of: member("out"), rows: days(Array.from({ length: 40 }, () => "1")) },
    ]);

    expect(monthsOf(input).map((part) => periodSums(input, part).in)).toEqual([30, 10]);
  });

  it("BAL-011 a day of 25 hours lacks 25 hours, not 24", () => {
    const [length] = dayLengths("Europe/Berlin", {
      first: dayNumber("2026-10-25"),
      last: dayNumber("2026-10-25"),
    });

    expect(length).toBe(25 * 3600);
  });

  it("BAL-005 losses by the terms of points follow the term of each day", () => {
    const range = { first, last: first + 1 };
    const lengths = dayLengths("Etc/UTC", range);
    const change = (first + 1) * daySec;
    const of = member("out", { timezone: "Etc/UTC" });
    const losses = [
      { point_id: of.point_id, share: "0.02", from_ts: 0, to_ts: change },
      { point_id: of.point_id, share: "0.05", from_ts: change, to_ts: null },
    ];
    const input: Input = {
      first,
      lengths,
      series: [
        seriesOf(member("in"), { range, lengths, days: detailed(days(["110", "110"])), losses: [] }),
        seriesOf(of, { range, lengths, days: detailed(days(["100", "100"])), losses }),
      ],
      rule: "points",
      lossText: null,
      allowed: 5,
    };

    expect(whole(input)).toMatchObject({ losses: 7, imbalance: 13 });
  });
});
