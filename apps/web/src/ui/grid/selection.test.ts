import { expect, it } from "vitest";
import { keptTicks } from "./selection.ts";

it("UI-031: a removed row is deselected, a new row is not selected", () => {
  const ticks = { "7": true, "9": true } as const;

  expect(keptTicks(ticks, new Set(["7", "8"]))).toEqual({ "7": true });
  expect(keptTicks(ticks, new Set())).toEqual({});
});

it("new values of the same rows keep the selection", () => {
  const ticks = { "7": true } as const;

  expect(keptTicks(ticks, new Set(["6", "7"]))).toBe(ticks);
});
