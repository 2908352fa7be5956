import { describe, expect, it } from "vitest";
import {
  extentOf,
  extremesOf,
  firstZoom,
  indexAt,
  pointsBehind,
  tooltipLimit,
  tooltipRows,
  tooltipSide,
  type ChartSeries,
} from "./data.ts";
import { decimalsOf, tickText, timeTicks, valueRange, valueTicks } from "./ticks.ts";

const half = 1800;
const column = (...values: number[]) => Float64Array.from(values);
const every = (step: number, count: number, first = 0) =>
  Float64Array.from({ length: count }, (_, at) => first + at * step);
const aSeries = (key: string, values: Float64Array): ChartSeries => ({
  key,
  label: key,
  unit: "kW",
  kind: "step",
  tone: "electricity",
  values,
});

describe("gaps", () => {
  const gap = (from: number, to: number) => ({ from: from * half, to: to * half, missing: to - from });
  const behind = (x: Float64Array, ...gaps: ReturnType<typeof gap>[]) => [...pointsBehind(x, gaps)];

  it("DATA-053: a gap that ends without a reading is before the first reading after it", () => {
    expect(behind(column(0, half, half * 6, half * 7), gap(2, 6))).toEqual([2]);
    expect(behind(column(0, half, half * 6 + 30, half * 7), gap(2, 6))).toEqual([2]);
    expect(behind(column(0, half, half * 9), gap(2, 4), gap(5, 8))).toEqual([2]);
  });

  it("DATA-053: a gap at the start of a period is before its first reading, one at its end before none", () => {
    expect(behind(column(half * 4 + 5, half * 5), gap(0, 4), gap(6, 8))).toEqual([0]);
    expect(behind(column(half * 4, half * 5))).toEqual([]);
  });

  it("a suspect reading within a gap is joined to neither side, adjacent readings are", () => {
    expect(behind(column(0, half, half * 3, half * 6, half * 7), gap(2, 6))).toEqual([2, 3]);
    expect(behind(column(0, half * 2, half * 6, half * 7), gap(2, 6))).toEqual([2]);
  });
});

describe("first view", () => {
  it("CHART-002: everything up to 5000 labels, above that the newest 30 %", () => {
    const many = every(60, 10_000);

    const zoom = firstZoom(many);

    expect(firstZoom(every(60, 5000))).toBeNull();
    expect(zoom).toEqual({ from: 7000 * 60, to: 9999 * 60 });
  });
});

describe("cursor", () => {
  it("an interval covers its whole span, an instant half the distance to its neighbours", () => {
    const x = every(half, 4);

    expect(indexAt(x, half * 1.9, true)).toBe(1);
    expect(indexAt(x, half * 1.9, false)).toBe(2);
    expect(indexAt(new Float64Array(), 5, true)).toBeNull();
  });

  it("CHART-004: the tooltip lists 15 series and indicates that there are more", () => {
    const series = Array.from({ length: 16 }, (_, at) => aSeries(String(at), column(at)));

    expect(tooltipRows(series, 0)).toMatchObject({ isCut: true });
    expect(tooltipRows(series, 0).rows).toHaveLength(tooltipLimit);
    expect(tooltipRows(series.slice(0, 15), 0)).toMatchObject({ isCut: false });
  });

  it("the tooltip opens where there is room, and away from a gap", () => {
    expect(tooltipSide({ cursor: 900, width: 1000, box: 240 })).toBe("left");
    expect(tooltipSide({ cursor: 50, width: 1000, box: 240 })).toBe("right");
    expect(tooltipSide({ cursor: 500, width: 1000, box: 240, busy: [{ from: 520, to: 600 }] })).toBe("left");
  });

  it("missing values do not affect the extent, wherever they are", () => {
    const columns = [column(Number.NaN, 5, -2, Number.NaN), column(9, Number.NaN, 3, 4)];

    expect(extentOf(columns, 0, 3)).toEqual({ min: -2, max: 9 });
    expect(extentOf(columns, 1, 1)).toEqual({ min: 5, max: 5 });
    expect(extentOf([column(Number.NaN)], 0, 0)).toEqual({ min: Infinity, max: -Infinity });
    expect(extentOf([], 0, -1)).toEqual({ min: Infinity, max: -Infinity });
  });

  it("missing values do not affect extremes", () => {
    const found = extremesOf(every(60, 4), column(Number.NaN, 5, -2, Number.NaN));

    expect(found).toMatchObject({ min: -2, max: 5, last: -2, lastAt: 120, count: 2 });
    expect(extremesOf(every(60, 1), column(Number.NaN))).toBeUndefined();
  });
});

describe("axes", () => {
  const zone = "Europe/Berlin";
  const autumn = Date.UTC(2026, 9, 24, 22) / 1000;
  const weekday = (day: number) => ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"][day] ?? "";

  it("RANGE-018: hour marks follow the clock on a day with 25 hours", () => {
    const { at } = timeTicks(autumn, autumn + 49 * 3600, zone, 10);

    expect(at.map((each) => tickText(each, "hour", zone, weekday))).toEqual(
      expect.arrayContaining(["25.10", "26.10"]),
    );
  });

  it("a week is marked by days with their weekday, a year by months", () => {
    const days = timeTicks(autumn, autumn + 7 * 86_400, zone, 8);
    const year = timeTicks(autumn, autumn + 365 * 86_400, zone, 13);

    expect(days.unit).toBe("day");
    expect(tickText(days.at[0] ?? 0, "day", zone, weekday)).toBe("Su 25.10");
    expect(year.unit).toBe("month");
    expect(tickText(year.at[0] ?? 0, "month", zone, weekday)).toBe("11.2026");
  });

  it("values have round marks, from zero if possible", () => {
    expect(valueTicks(0, 337, 4)).toEqual([0, 100, 200, 300]);
    expect(decimalsOf(valueTicks(0, 337, 4))).toBe(0);
    expect(decimalsOf([0, 0.05, 0.1])).toBe(2);
    expect(valueRange(82, 312, true)[0]).toBe(0);
    expect(valueRange(220, 240, false)[0]).toBeGreaterThan(200);
    expect(valueRange(Infinity, -Infinity, true)).toEqual([0, 1]);
  });
});
