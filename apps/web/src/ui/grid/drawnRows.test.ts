import { describe, expect, it } from "vitest";
import { drawnBetween } from "./drawnRows.ts";

describe("rows of a long list", () => {
  it("draws the visible rows and some around them", () => {
    expect(drawnBetween({ offset: 3600, height: 360 }, 36, 10_000)).toEqual({ first: 88, last: 122 });
  });

  it("draws fewer around them when a table is drawn for the first time", () => {
    expect(drawnBetween({ offset: 3600, height: 144 }, 36, 10_000, 2)).toEqual({ first: 98, last: 106 });
  });

  it("never draws before the first or after the last row", () => {
    expect(drawnBetween({ offset: 0, height: 360 }, 36, 10_000)).toEqual({ first: 0, last: 22 });
    expect(drawnBetween({ offset: 359_640, height: 360 }, 36, 10_000)).toEqual({ first: 9978, last: 10_000 });
  });

  it("draws nothing for an empty list, also when the list has become shorter than the offset", () => {
    expect(drawnBetween({ offset: 0, height: 360 }, 36, 0)).toEqual({ first: 0, last: 0 });
    expect(drawnBetween({ offset: 3600, height: 360 }, 36, 5)).toEqual({ first: 5, last: 5 });
  });
});
