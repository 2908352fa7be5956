import { describe, expect, it } from "vitest";
import { lossOver, type LossStep } from "#metering/messages";
import { lossOfMonth } from "./losses.ts";

const at = (text: string) => Date.parse(text) / 1000;
const zone = "Etc/UTC";
const change = (moment: string): LossStep[] => [
  { from: 0, to: at(moment), share: "0.02" },
  { from: at(moment), to: null, share: "0.06" },
];
const day = { from: at("2026-03-10T00:00:00Z"), to: at("2026-03-11T00:00:00Z") };

describe("the rule of losses", () => {
  it("TRUST-019 a share holds from its moment on; a day that it divides has both by their part of the time", () => {
    expect(lossOver(change("2026-03-10T00:00:00Z"), day)).toBe("0.06");
    expect(lossOver(change("2026-03-11T00:00:00Z"), day)).toBe("0.02");
    expect(lossOver(change("2026-03-10T06:00:00Z"), day)).toBe("0.05");
    expect(lossOver(change("2026-03-10T18:00:00Z"), day)).toBe("0.03");
    // Seven of twenty-four hours: thirds are rounded at the twelfth decimal.
    expect(lossOver(change("2026-03-10T07:00:00Z"), day)).toBe("0.048333333333");
  });

  it("TRUST-019 time without a share is without losses, and a span without any has none", () => {
    const ended: LossStep[] = [{ from: 0, to: at("2026-03-10T12:00:00Z"), share: "0.02" }];

    expect(lossOver(ended, day)).toBe("0.01");
    expect(lossOver(ended, { from: day.to, to: day.to + 1800 })).toBeUndefined();
    expect(lossOver([], day)).toBeUndefined();
  });

  it("TRUST-019 days of 23 and 25 hours are divided by their own length", () => {
    const [start, end] = [at("2026-03-29T00:00:00+01:00"), at("2026-03-30T00:00:00+02:00")];

    expect(end - start).toBe(23 * 3600);
    expect(lossOver(change("2026-03-29T12:00:00+02:00"), { from: start, to: end })).toBe("0.040869565217");
  });

  it("TRUST-019 a month adds its days, and a gap by the time of its days", () => {
    const aDay = (date: string, more: { amount?: string; gapAmount?: string; gapDay?: string }) => ({
      day: date,
      amount: null,
      gapAmount: null,
      gapDay: null,
      ...more,
    });
    const losses = change("2026-03-10T00:00:00Z");
    const days = [
      aDay("2026-03-08", { amount: "100" }),
      aDay("2026-03-11", { amount: "100", gapAmount: "40", gapDay: "2026-03-08" }),
      // It began before the month, so it is not of it.
      aDay("2026-03-01", { gapAmount: "1000", gapDay: "2026-02-27" }),
    ];

    expect(lossOfMonth("2026-03", { days, losses, zone })).toBe("9.6");
  });
});
