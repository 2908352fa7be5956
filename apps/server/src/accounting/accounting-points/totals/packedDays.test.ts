import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { microIn, mostMicro } from "#core";
import { unpackedDays } from "./packedDaysStore.ts";

const micro = (text: string): number => microIn(`7:${text} 8:1`, 2, 2 + text.length);

describe("packed days of points", () => {
  it("BAL-005 a decimal of up to six places is read in millionths exactly, whatever stands beside it", () => {
    const units = fc.bigInt({ min: -BigInt(mostMicro), max: BigInt(mostMicro) });
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 6 }), (value, places) => {
        const unit = 10n ** BigInt(6 - places);
        const [whole, rest] = [value / unit / 10n ** BigInt(places), (value / unit) % 10n ** BigInt(places)];
        const digits = (rest < 0n ? -rest : rest).toString().padStart(places, "0");
        const sign = value / unit < 0n ? "-" : "";
        const text = `${sign}${(whole < 0n ? -whole : whole).toString()}${places === 0 ? "" : `.${digits}`}`;

        expect(BigInt(micro(text))).toBe((value / unit) * unit);
      }),
    );
  });

  it("BAL-005 a finer or larger decimal is no number of millionths", () => {
    expect(["0.1234567", "1.0000000", "4503599627.370497", "99999999999999999999"].map(micro)).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
    expect(micro("4503599627.370496")).toBe(mostMicro);
    expect(micro("-4503599627.370496")).toBe(-mostMicro);
  });

  it("BAL-006 days without a row are in neither list, days of which more is told keep all of it", () => {
    const days = "0:12.5 2:0 3:4.25:3600:20:-1:90000:0.5:0.25:17 4::86400::0:0:0:0:0";
    const { whole, others } = unpackedDays([{ shift: 0, days }], 6);

    expect(whole).toEqual([12_500_000, Number.NaN, 0, Number.NaN, Number.NaN, Number.NaN]);
    expect(others).toEqual([
      {
        ...{ at: 3, amount: "4.25", missingSec: 3600, gapAmount: "20", gapFrom: -1, gapSec: 90_000 },
        ...{ estimated: "0.5", gapEstimated: "0.25", flags: 17 },
      },
      {
        ...{ at: 4, amount: null, missingSec: 86_400, gapAmount: null, gapFrom: 0, gapSec: 0 },
        ...{ estimated: "0", gapEstimated: "0", flags: 0 },
      },
    ]);
  });

  it("BAL-005 a whole day whose amount is finer than millionths is whole all the same", () => {
    const { whole, others } = unpackedDays([{ shift: 0, days: "0:0.1234567 1:3" }], 2);

    expect(whole).toEqual([Number.NaN, 3_000_000]);
    expect(others).toMatchObject([{ at: 0, amount: "0.1234567", missingSec: 0, gapAmount: null, flags: 0 }]);
  });

  it("BAL-006 a request that begins and ends within months takes their days by its own first day", () => {
    const months = [
      { shift: -29, days: "28:1 29:2 30:3:3600:20:27:90000:0:0:0" },
      { shift: 2, days: "0:4:0:5:-1:3600:0:0:0 1:5" },
    ];
    const { whole, others } = unpackedDays(months, 3);

    expect(whole).toEqual([2_000_000, Number.NaN, Number.NaN]);
    expect(others).toMatchObject([
      { at: 1, amount: "3", gapAmount: "20", gapFrom: -2 },
      { at: 2, amount: "4", gapAmount: "5", gapFrom: 1 },
    ]);
  });
});
