import { expect, it } from "vitest";
import { counterOf, givenOf } from "#testing/series/judgedSeries";
import type { Proposal } from "./estimate.ts";
import { judgedRegister } from "../judged/series.ts";
import { changedDays, totalsWith } from "./totals.ts";

const hour = 3600;
const times = Array.from({ length: 25 }, (_, n) => n * hour);
const judged = judgedRegister(givenOf(counterOf(times, () => 2)));
const unchanged: Proposal = {
  ...{ method: "given", values: [], amounts: [], total: 0, days: [], fittedTo: undefined },
};
/** 20 until half past eleven, then 40. */
const change = 11.5 * hour;
const ratioOver = ({ from, to }: { readonly from: number; readonly to: number }): number | null =>
  from < change && to > change ? null : from < change ? 20 : 40;

it("TRUST-026 a step over a change of the ratio is in no total of an exception, as in none of the point", () => {
  const { before } = totalsWith(judged, unchanged, { from: 0, to: 24 * hour, ratioOver });

  // Eleven hours by 20, one unknown, twelve by 40.
  expect(before).toBe(String(11 * 2 * 20 + 12 * 2 * 40));
});

it("TRUST-026 a day with a change of the ratio is not whole, whatever is estimated in it", () => {
  const late = { ...unchanged, values: [{ msgTypes: [100], ts: 24 * hour, value: 60 }] };
  const dayOf = (over: typeof ratioOver) =>
    changedDays(judged, late, { zone: "UTC", first: 0, last: 0, ratioOver: over });

  expect(dayOf(() => 20)).toEqual([{ day: 0, change: "240", whole: "1200" }]);
  expect(dayOf(ratioOver)).toEqual([{ day: 0, change: "480", whole: null }]);
});
