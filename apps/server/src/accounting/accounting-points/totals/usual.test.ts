import { describe, expect, it } from "vitest";
import { isNear } from "./usual.ts";

const hour = 3600;
const start = Date.parse("2026-10-01T00:00:00Z") / 1000;
const at = (hours: readonly number[]) => hours.map((each) => ({ ts: start + each * hour }));
const near = (hours: readonly number[], from: number, to: number): boolean =>
  isNear(at(hours), { from: start + from * hour, to: start + to * hour });
const daily = [0, 24, 48, 72, 96, 120];

describe("TRUST-011 how far apart values may be follows from how far apart they usually are there", () => {
  it.each<[string, readonly number[], number, number, boolean]>([
    ["six hours are near whatever is usual", [0, 6], 0, 6, true],
    ["a meter read every hour keeps its hole of seven", [0, 1, 2, 3, 4, 11, 12, 13, 14], 4, 11, false],
    ["a meter read every day", daily, 48, 72, true],
    ["the newest value of it", daily, 96, 120, true],
    ["a value of it is late by half a day", [0, 24, 48, 84, 108, 132], 48, 84, true],
    ["a value of it was lost", [0, 24, 48, 96, 120, 144], 48, 96, false],
    ["a meter read every two days, at most", [0, 48, 96, 144, 192, 240], 96, 144, true],
    ["a meter read every week", [0, 168, 336, 504, 672], 168, 336, false],
    ["nobody knows yet what is usual", [0, 24, 48], 0, 24, false],
    [
      "repeats within a quarter of an hour are one value",
      [0, 0.1, 24, 24.1, 24.2, 48, 72, 96],
      24.2,
      48,
      true,
    ],
    ["values beyond a week tell nothing", [0, 24, 48, 72, 300, 330, 500, 524, 548], 300, 330, false],
  ])("%s", (_, hours, from, to, expected) => {
    expect(near(hours, from, to)).toBe(expected);
  });
});
