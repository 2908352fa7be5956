import { useEffect, useRef, type PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ChartData, Gap, Span } from "./data.ts";
import { boundWindow } from "./plugins.ts";
import { tokenOf, useThemeVersion } from "#lib/theme";
import { observeWidth } from "./theme.ts";

const height = 38;

/**
 * The whole period in miniature, the shown range framed; the frame and its handles can be dragged and moved
 * by keyboard.
 */
export function Overview(props: {
  readonly data: ChartData;
  readonly gaps: readonly Gap[];
  readonly period: Span;
  readonly window: Span;
  readonly onWindow: (window: Span) => void;
  readonly quietMs: number;
}) {
  const { data, gaps, period, window, onWindow, quietMs } = props;
  const { t } = useTranslation("chart");
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const theme = useThemeVersion();

  useEffect(() => {
    const element = canvas.current;
    const holder = box.current;
    if (!element || !holder) return undefined;
    return observeWidth(holder, quietMs, (width) => paint(element, width, { data, gaps, period }));
  }, [data, gaps, period, theme, quietMs]);

  const share = (at: number) => `${String(((at - period.from) / (period.to - period.from)) * 100)}%`;
  const drag = (event: PointerEvent<HTMLElement>, kind: "move" | "from" | "to") => {
    const holder = box.current;
    if (!holder || event.button !== 0) return;
    event.preventDefault();
    const target = event.currentTarget;
    target.setPointerCapture(event.pointerId);
    const perPixel = (period.to - period.from) / holder.clientWidth;
    const moved = (now: globalThis.PointerEvent) =>
      shift(window, period, kind, (now.clientX - event.clientX) * perPixel);
    const move = (now: globalThis.PointerEvent) => onWindow(moved(now));
    target.addEventListener("pointermove", move);
    target.addEventListener("pointerup", () => target.removeEventListener("pointermove", move), {
      once: true,
    });
  };
  const keys = (kind: "from" | "to") => (event: React.KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onWindow(shift(window, period, kind, (step * (period.to - period.from)) / 50));
  };
  const handle = (kind: "from" | "to") => (
    <span
      className={`overview-handle is-${kind}`}
      role="slider"
      tabIndex={0}
      aria-label={t(kind === "from" ? "windowFrom" : "windowTo")}
      aria-valuemin={period.from}
      aria-valuemax={period.to}
      aria-valuenow={Math.round(window[kind])}
      onPointerDown={(event) => {
        event.stopPropagation();
        drag(event, kind);
      }}
      onKeyDown={keys(kind)}
    />
  );
  return (
    <div className="overview" ref={box}>
      <canvas ref={canvas} aria-hidden="true" />
      <div
        className="overview-window"
        style={{ left: share(window.from), right: `calc(100% - ${share(window.to)})` }}
        onPointerDown={(event) => drag(event, "move")}
      >
        {handle("from")}
        {handle("to")}
      </div>
    </div>
  );
}

function shift(window: Span, period: Span, kind: "move" | "from" | "to", by: number): Span {
  const shortest = (period.to - period.from) / 200;
  if (kind === "from")
    return { ...window, from: Math.min(Math.max(period.from, window.from + by), window.to - shortest) };
  if (kind === "to")
    return { ...window, to: Math.max(Math.min(period.to, window.to + by), window.from + shortest) };
  return boundWindow({ from: window.from + by, to: window.to + by }, period);
}

function paint(
  element: HTMLCanvasElement,
  width: number,
  what: { data: ChartData; gaps: readonly Gap[]; period: Span },
): void {
  const { data, gaps, period } = what;
  const ratio = devicePixelRatio;
  element.width = width * ratio;
  element.height = height * ratio;
  const pen = element.getContext("2d");
  const values = data.series[0]?.values;
  if (!pen || !values) return;
  pen.scale(ratio, ratio);
  const toX = (at: number) => ((at - period.from) / (period.to - period.from)) * width;
  const columns = columnsOf(data.x, values, toX, width);
  const [min, max] = [lowest(data, columns), Math.max(...columns.map((each) => each.high))];
  const toY = (value: number) => height - 5 - ((value - min) / (max - min || 1)) * (height - 10);
  pen.strokeStyle = tokenOf(element, "ink-2");
  pen.lineWidth = 1;
  pen.beginPath();
  let before: number | null = null;
  for (const { x, low, high } of columns) {
    const from: number | null = before;
    const broken = from !== null && gaps.some((gap) => toX(gap.from) < x && toX(gap.to) > from);
    if (from === null || broken) pen.moveTo(x, toY(low));
    else pen.lineTo(x, toY(low));
    if (high !== low) pen.lineTo(x, toY(high));
    before = x;
  }
  pen.stroke();
}

/** A counter far from zero would be a straight line if the axis of its strip began there. */
function lowest(data: ChartData, columns: readonly { readonly low: number }[]): number {
  const low = Math.min(...columns.map((each) => each.low));
  return data.series.some((each) => each.kind === "line") ? low : Math.min(0, low);
}

function columnsOf(x: Float64Array, values: Float64Array, toX: (at: number) => number, width: number) {
  const columns: { x: number; low: number; high: number }[] = [];
  for (let at = 0; at < x.length; at++) {
    const value = values[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const pixel = Math.round(toX(x[at] ?? 0));
    if (pixel < 0 || pixel > width) continue;
    const last = columns.at(-1);
    if (last?.x !== pixel) columns.push({ x: pixel, low: value, high: value });
    else {
      last.low = Math.min(last.low, value);
      last.high = Math.max(last.high, value);
    }
  }
  return columns;
}
