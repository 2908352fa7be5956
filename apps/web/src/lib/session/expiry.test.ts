import { describe, expect, it } from "vitest";
import { expiryOf } from "./expiry.ts";

const indicator = (daysLeft: number | null, is_demo = false) =>
  expiryOf({ license_days_left: daysLeft }, { is_demo }).indicator;

describe("the end of the licence", () => {
  it("LIC-001 PROD-021: the indicator informs under 5 days, not at 5", () => {
    expect([6, 5, 4, 3, 2].map((days) => indicator(days))).toEqual([null, null, "info", "info", "info"]);
    expect(indicator(null)).toBeNull();
  });

  it("LIC-002: a demonstration company always has it", () => {
    expect([indicator(null, true), indicator(300, true), indicator(3, true)]).toEqual([
      "info",
      "info",
      "info",
    ]);
  });

  it("LIC-003: under 2 days it warns, a demonstration company too", () => {
    expect([2, 1, 0, -7].map((days) => indicator(days))).toEqual(["info", "warning", "warning", "warning"]);
    expect(indicator(1, true)).toBe("warning");
  });

  it("SHELL-018 SHELL-019 UI-061: the dialog has its own threshold, 5 days", () => {
    const dialogs = [null, 6, 5, 0, -1].map(
      (license_days_left) => expiryOf({ license_days_left }, { is_demo: false }).hasDialog,
    );

    expect(dialogs).toEqual([false, false, true, true, true]);
  });
});
