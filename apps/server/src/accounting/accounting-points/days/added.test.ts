import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { statuses } from "@metrum/vocabulary";
import { dayOf, isEqual, plus, startOfDay, textOf, zero } from "#core";
import { addedTo, type AddedAmount } from "./added.ts";

const note = "meter without power";
const zones: readonly (readonly [zone: string, around: string])[] = [
  ["Europe/Berlin", "2026-03-29"],
  ["Europe/Berlin", "2026-10-25"],
  ["Asia/Ulaanbaatar", "2016-03-26"],
  ["America/Sao_Paulo", "2018-11-04"],
  ["Asia/Almaty", "2024-03-01"],
  ["Pacific/Apia", "2011-12-30"],
];

/** An amount with some decimals that lasts from minutes to days, around an instant. */
const someAmount = (around: number): fc.Arbitrary<AddedAmount> =>
  fc
    .record({
      from: fc.integer({ min: -3 * 86_400, max: 3 * 86_400 }),
      length: fc.integer({ min: 1, max: 4 * 86_400 }),
      units: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      scale: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ from, length, units, scale }) => ({
      ...{ field: "main", from: around + from, to: around + from + length, note },
      amount: { units, scale },
    }));

describe("TRUST-023 TRUST-026 the days of an added amount add up to it, to the last digit", () => {
  it.each(zones)("in %s around %s", (zone, date) => {
    const around = Date.parse(`${date}T00:00:00Z`) / 1000;
    fc.assert(
      fc.property(someAmount(around), (amount) => {
        const [first, last] = [dayOf(zone, amount.from), dayOf(zone, amount.to - 1)];
        const parts = Array.from({ length: last - first + 3 }, (_, n) => {
          const day = first - 1 + n;
          const [start, end] = [startOfDay(zone, day), startOfDay(zone, day + 1)];
          return addedTo([amount], { field: "main", start, end });
        });
        const all = parts.flat();

        expect([parts[0], parts.at(-1)]).toEqual([[], []]);
        expect(
          isEqual(
            all.reduce((sum, each) => plus(sum, each.amount), zero),
            amount.amount,
          ),
        ).toBe(true);
        expect([all[0]?.from, all.at(-1)?.to]).toEqual([amount.from, amount.to]);
        expect(new Set(all.map((each) => each.note))).toEqual(new Set([note]));
        all.slice(1).forEach(({ from }, n) => expect(from).toBe(all[n]?.to));
        expect(new Set(all.map(({ status }) => status))).toEqual(new Set([statuses.estimated.id]));
      }),
      { numRuns: 60 },
    );
  });

  it("each part is its share of the time", () => {
    const amount = { field: "main", from: 0, to: 4 * 3600, note, amount: { units: 12n, scale: 0 } };
    const part = (start: number, end: number) => addedTo([amount], { field: "main", start, end });

    expect(part(0, 3600).map((each) => textOf(each.amount))).toEqual(["3"]);
    expect(part(3600, 4 * 3600).map((each) => textOf(each.amount))).toEqual(["9"]);
  });

  it("an amount of another register, before or after the day has no part in it", () => {
    const amount = { field: "main", from: 100, to: 200, note, amount: { units: 5n, scale: 0 } };
    const within = (field: string, start: number, end: number) =>
      addedTo([amount], { field, start, end }).length;

    expect(within("tariff1", 0, 300)).toBe(0);
    expect([within("main", 0, 100), within("main", 200, 300)]).toEqual([0, 0]);
    expect([within("main", 0, 101), within("main", 199, 300)]).toEqual([1, 1]);
  });
});
