import { describe, expect, it } from "vitest";
import { placeOf } from "./place.ts";

const view = { width: 1000, height: 700 };
const size = { width: 200, height: 300 };
const opener = (left: number, top: number) => ({ left, right: left + 40, top, bottom: top + 30 });

describe("a popover", () => {
  it("is below its opener, at its left or right edge", () => {
    expect(placeOf(opener(300, 100), size, view, "start")).toEqual({ left: 300, top: 134 });
    expect(placeOf(opener(300, 100), size, view, "end")).toEqual({ left: 140, top: 134 });
  });

  it("is above it if there is no room below", () => {
    expect(placeOf(opener(300, 600), size, view, "start")).toEqual({ left: 300, top: 296 });
  });

  it("stays inside the window", () => {
    expect(placeOf(opener(950, 100), size, view, "start").left).toBe(792);
    expect(placeOf(opener(0, 100), size, view, "end").left).toBe(8);
    expect(placeOf(opener(0, 400), { width: 200, height: 690 }, view, "start").top).toBe(8);
  });
});
