import uPlot from "uplot";
import { extentOf, indexAt, type ChartData, type MarkLine, type Span } from "./data.ts";
import type { Hover } from "./hover.ts";
import { pathsOf } from "./paths.ts";
import { layersPlugin, zoomPlugin, type Layers, type ZoomActions } from "./plugins.ts";
import { tokenOf } from "#lib/theme";
import { decimalsOf, tickText, timeTicks, valueRange, valueTicks, type TickUnit } from "./ticks.ts";

export interface PlotSettings {
  readonly host: HTMLElement;
  readonly width: number;
  readonly height: number;
  readonly data: ChartData;
  readonly isHidden: (key: string) => boolean;
  readonly zone: string;
  readonly weekday: (day: number) => string;
  readonly formatTick: (value: number, decimals: number) => string;
  readonly hover: Hover;
  readonly layers: () => Layers;
  readonly actions: ZoomActions;
  readonly window: Span;
}

/**
 * Hover area: averages cover their whole interval; instantaneous values, and growth at the end of its
 * interval, half the way to their neighbours.
 */
export function covers(data: ChartData): boolean {
  return data.series.some((each) => each.kind === "step");
}

/** A mark far above all values would press the data flat: it is then excluded from the scale. */
function withMarks(max: number, marks: readonly MarkLine[]): number {
  return marks.reduce((top, mark) => (mark.value < top * 1.6 ? Math.max(top, mark.value) : top), max);
}

function axesOf(settings: PlotSettings, font: string): uPlot.Axis[] {
  const { host, zone, weekday, formatTick } = settings;
  const grid = { stroke: tokenOf(host, "line"), width: 1 };
  let unit: TickUnit = "day";
  return [
    {
      scale: "x",
      stroke: tokenOf(host, "ink-3"),
      font,
      size: 30,
      gap: 6,
      grid,
      ticks: { show: false },
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum exists in types only
      align: 1,
      splits: (u, _axis, min, max) => {
        const ticks = timeTicks(min, max, zone, u.width / (u.width < 640 ? 64 : 112));
        unit = ticks.unit;
        // A label that starts at the right edge has no room left.
        const edge = max - ((max - min) * 34) / u.width;
        return ticks.at.filter((at) => at <= edge);
      },
      values: (_u, splits) => splits.map((at) => tickText(at, unit, zone, weekday)),
    },
    {
      scale: "y",
      stroke: tokenOf(host, "ink-3"),
      font,
      gap: 8,
      grid,
      ticks: { show: false },
      size: (_u, values: readonly string[] | null) =>
        18 + Math.max(3, ...(values ?? []).map((each) => each.length)) * 6.6,
      splits: (u, _axis, min, max) => [...valueTicks(min, max, Math.max(4, u.height / 60))],
      values: (_u, splits) => {
        const decimals = decimalsOf(splits);
        return splits.map((at) => formatTick(at, decimals));
      },
    },
  ];
}

/**
 * Range of the value axis over the shown data. The library's own search treats a column that begins with NaN,
 * as growth after a gap does, as empty, so its series are not searched.
 */
export function rangeOf(u: uPlot, marks: readonly MarkLine[], fromZero: boolean): uPlot.Range.MinMax {
  const [x, ...series] = u.series;
  const shown = series.flatMap(({ show }, at) => {
    const values = u.data[at + 1];
    return show === true && values instanceof Float64Array ? [values] : [];
  });
  const { min, max } = extentOf(shown, ...(x?.idxs ?? [0, -1]));
  const [low, high] = valueRange(min, withMarks(max, marks), fromZero);
  return [low, high];
}

/** Creates a plot in the host element; the caller owns it and must destroy it. */
export function createPlot(settings: PlotSettings): uPlot {
  const { host, data, hover, layers, actions, window } = settings;
  const family = getComputedStyle(host).fontFamily;
  const fromZero = data.series.some((each) => each.kind !== "line");
  const series = data.series.map((each): uPlot.Series => ({
    label: each.label,
    scale: "y",
    auto: false,
    show: !settings.isHidden(each.key),
    width: 1.5,
    stroke: tokenOf(host, each.tone),
    fill:
      each.kind === "bar"
        ? tokenOf(host, each.tone)
        : `color-mix(in srgb, ${tokenOf(host, each.tone)} 7%, transparent)`,
    dash: each.dash ? [...each.dash] : [],
    points: { show: false },
    paths: pathsOf({
      kind: each.kind,
      stepSec: data.stepSec,
      isFilled: each.filled ?? false,
      gaps: () => layers().gaps,
    }),
  }));
  const options: uPlot.Options = {
    width: settings.width,
    height: settings.height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    focus: { alpha: 1 },
    scales: {
      x: { time: false, min: window.from, max: window.to },
      y: {
        range: (u) => rangeOf(u, layers().marks, fromZero),
      },
    },
    series: [{}, ...series],
    axes: axesOf(settings, `11px ${family}`),
    cursor: { x: false, y: false, points: { show: false } },
    plugins: [
      layersPlugin(layers, () => `${String(11 * devicePixelRatio)}px ${family}`),
      zoomPlugin(actions),
      {
        hooks: {
          draw: (u) => {
            // The overview strip is aligned with the plot, not with the axis.
            host
              .closest("figure")
              ?.style.setProperty("--plot-left", `${String(u.bbox.left / devicePixelRatio)}px`);
          },
          setCursor: (u) => {
            // While the keyboard moves the cursor there is no event and nothing to report.
            if (!u.cursor.event) return;
            const left = u.cursor.left ?? -1;
            const x = u.data[0];
            hover.set(
              left < 0 || !(x instanceof Float64Array)
                ? null
                : indexAt(x, u.posToVal(left, "x"), covers(data)),
            );
          },
        },
      },
    ],
  };
  return new uPlot(options, alignedOf(data), host);
}

export function alignedOf(data: ChartData): uPlot.AlignedData {
  return [data.x, ...data.series.map((each) => each.values)];
}

/** Pixel of the middle of a point: of its interval, or of the instant itself. */
export function middleOf(u: uPlot, data: ChartData, index: number): number {
  const at = data.x[index] ?? 0;
  const next = data.x[index + 1];
  const held = data.stepSec ?? 0;
  const half = covers(data) ? Math.min(held, next === undefined ? held : next - at) / 2 : 0;
  return u.valToPos(at + half, "x");
}
