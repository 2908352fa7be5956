import { PeakHoursList } from "@metrum/contract/metering";
import { describe, expect, it } from "vitest";
import { listOf, neighbour, overfull, paint, paintingOf, rangesOf } from "./hours.ts";

const list = [
  {
    month: 1,
    ranges: [
      { start: 7, stop: 10 },
      { start: 17, stop: 24 },
    ],
  },
  { month: 12, ranges: [{ start: 0, stop: 1 }] },
];

describe("peak hours as a painting of 12 by 24", () => {
  it("SERV-019 converts from a list and back to it", () => {
    const painting = paintingOf(list);

    expect(painting.flat().filter(Boolean)).toHaveLength(3 + 7 + 1);
    expect(listOf(painting)).toEqual(list);
    expect(PeakHoursList.safeParse(listOf(painting)).success).toBe(true);
  });

  it("SERV-020 reports months with more than two ranges", () => {
    const painted = paint(paintingOf(list), { month: 1, hour: 12 }, { month: 2, hour: 13 }, true);

    expect(overfull(painted)).toEqual([1]);
    expect(rangesOf(painted[1] ?? [])).toEqual([{ start: 12, stop: 14 }]);
  });

  it("paints and clears between two corners in any direction", () => {
    const corners = [
      { month: 3, hour: 10 },
      { month: 2, hour: 8 },
    ] as const;
    const painted = paint(paintingOf([]), ...corners, true);
    const cleared = paint(painted, { month: 3, hour: 0 }, { month: 3, hour: 23 }, false);

    expect(listOf(painted)).toEqual([2, 3].map((month) => ({ month, ranges: [{ start: 8, stop: 11 }] })));
    expect(listOf(cleared)).toEqual([{ month: 2, ranges: [{ start: 8, stop: 11 }] }]);
  });

  it("is navigated by arrow keys, which stay inside", () => {
    expect(neighbour({ month: 1, hour: 0 }, "ArrowUp")).toEqual({ month: 1, hour: 0 });
    expect(neighbour({ month: 1, hour: 0 }, "ArrowRight")).toEqual({ month: 1, hour: 1 });
    expect(neighbour({ month: 12, hour: 5 }, "End")).toEqual({ month: 12, hour: 23 });
    expect(neighbour({ month: 12, hour: 5 }, "Tab")).toBeNull();
  });
});
