import type uPlot from "uplot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Gap, SeriesKind } from "./data.ts";
import { pathsOf } from "./paths.ts";
import { rangeOf } from "./plot.ts";

const half = 1800;
const column = (...values: number[]) => Float64Array.from(values);

/** Lines as lists of points, as drawn. */
class Recorder {
  readonly lines: string[][] = [];
  moveTo(x: number, y: number): void {
    this.lines.push([`${String(Math.round(x))},${String(Math.round(y))}`]);
  }
  lineTo(x: number, y: number): void {
    this.lines.at(-1)?.push(`${String(Math.round(x))},${String(Math.round(y))}`);
  }
}

/** A plot of 100 × 100 pixels over ten half-hours and values up to 100, as far as drawing uses it. */
function aPlot(...data: Float64Array[]): uPlot {
  const columns = data.slice(1).map(() => ({ show: true }));
  const plot: unknown = {
    data,
    bbox: { left: 0, top: 0, width: 100, height: 100 },
    scales: { x: { min: 0, max: half * 10 }, y: { min: 0, max: 100 } },
    series: [{ idxs: [0, (data[0]?.length ?? 0) - 1] }, ...columns],
  };
  return plot as uPlot;
}

/** Strokes of one column between its gaps. */
function strokes(plot: uPlot, kind: SeriesKind, gaps: readonly Gap[]): readonly (readonly string[])[] {
  const build = pathsOf({ kind, stepSec: half, isFilled: false, gaps: () => gaps });
  const paths: unknown = build(plot, 1, 0, plot.data[0].length - 1);
  const stroke = (paths as { readonly stroke: Recorder }).stroke;
  return stroke.lines;
}

beforeEach(() => {
  vi.stubGlobal("Path2D", Recorder);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a line", () => {
  const x = column(0, half, half * 5 + 30, half * 6);
  const y = column(10, 20, 30, 40);

  it("DATA-053: breaks at a gap whose end has no reading", () => {
    const broken = strokes(aPlot(x, y), "line", [{ from: half * 2, to: half * 5, missing: 3 }]);

    expect(broken.map((line) => [line[0], line.at(-1)])).toEqual([
      ["0,90", "10,80"],
      ["50,70", "60,60"],
    ]);
    expect(strokes(aPlot(x, y), "line", [])).toHaveLength(1);
  });

  it("DATA-053: breaks there also with more points than pixels", () => {
    const dense = Float64Array.from({ length: 500 }, (_, at) => (at < 250 ? at * 20 : half * 6 + at * 20));
    const values = dense.map(() => 50);

    expect(
      strokes(aPlot(dense, values), "line", [{ from: half * 3, to: half * 6, missing: 3 }]),
    ).toHaveLength(2);
  });
});

describe("the axis of values", () => {
  it("DATA-053: a period that begins with a gap has the axis of its growth, not 0 to 1", () => {
    const growth = column(Number.NaN, 120, 300, Number.NaN);

    const [low, high] = rangeOf(aPlot(column(0, half, half * 2, half * 3), growth), [], true);

    expect(low).toBe(0);
    expect(high).toBeGreaterThan(300);
  });

  it("covers the shown columns in the window; 0 to 1 if they are empty", () => {
    const plot = aPlot(column(0, half), column(1, 2), column(1000, 2000));
    if (plot.series[2]) plot.series[2].show = false;

    expect(rangeOf(plot, [], true)[1]).toBeLessThan(3);
    if (plot.series[1]) plot.series[1].show = false;
    expect(rangeOf(plot, [], true)).toEqual([0, 1]);
  });
});
