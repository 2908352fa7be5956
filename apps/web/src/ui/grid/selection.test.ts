import { expect, it } from "vitest";
import { keptTicks } from "./selection.ts";

it("UI-031: a row that leaves the list takes its tick with it, a row that comes brings none", () => {
  const ticks = { "7": true, "9": true } as const;

  expect(keptTicks(ticks, new Set(["7", "8"]))).toEqual({ "7": true });
  expect(keptTicks(ticks, new Set())).toEqual({});
});

it("new values of the same rows change no tick", () => {
  const ticks = { "7": true } as const;

  expect(keptTicks(ticks, new Set(["6", "7"]))).toBe(ticks);
});
