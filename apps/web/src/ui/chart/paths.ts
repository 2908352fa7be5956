import type uPlot from "uplot";
import { pointsBehind, type Gap, type SeriesKind } from "./data.ts";

/** Path state; NaN or a gap interrupts the line. */
interface Pen {
  readonly stroke: Path2D;
  readonly fill: Path2D | undefined;
  readonly base: number;
  isDown: boolean;
  fromX: number;
  lastX: number;
}

function lift(pen: Pen): void {
  if (!pen.isDown) return;
  pen.isDown = false;
  if (!pen.fill) return;
  pen.fill.lineTo(pen.lastX, pen.base);
  pen.fill.lineTo(pen.fromX, pen.base);
  pen.fill.closePath();
}

function draw(pen: Pen, x: number, y: number): void {
  if (pen.isDown) pen.stroke.lineTo(x, y);
  else {
    pen.stroke.moveTo(x, y);
    pen.fill?.moveTo(x, pen.base);
    pen.fromX = x;
    pen.isDown = true;
  }
  pen.fill?.lineTo(x, y);
  pen.lastX = x;
}

interface Frame {
  readonly toX: (value: number) => number;
  readonly toY: (value: number) => number;
  readonly base: number;
}

function frameOf(u: uPlot): Frame {
  const { left, top, width, height } = u.bbox;
  const [minX, maxX] = [u.scales.x?.min ?? 0, u.scales.x?.max ?? 1];
  const [minY, maxY] = [u.scales.y?.min ?? 0, u.scales.y?.max ?? 1];
  const perX = width / (maxX - minX);
  const perY = height / (maxY - minY);
  const toY = (value: number) => top + height - (value - minY) * perY;
  return { toX: (value) => left + (value - minX) * perX, toY, base: toY(Math.min(Math.max(0, minY), maxY)) };
}

/** First, lowest, highest and last of the points that share one pixel: more cannot be seen. */
function drawColumn(
  pen: Pen,
  x: number,
  ys: { first: number; low: number; high: number; last: number },
): void {
  draw(pen, x, ys.first);
  if (ys.low !== ys.high) {
    draw(pen, x, ys.low);
    draw(pen, x, ys.high);
  }
  draw(pen, x, ys.last);
}

interface Stretch {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly step: number | null;
  /** Points after a gap. */
  readonly breaks: ReadonlySet<number>;
}

function drawDense(pen: Pen, frame: Frame, part: Stretch): void {
  let column = { x: Number.NaN, first: 0, low: 0, high: 0, last: 0 };
  const flush = () => {
    if (!Number.isNaN(column.x)) drawColumn(pen, column.x, column);
    column = { ...column, x: Number.NaN };
  };
  for (let at = part.from; at <= part.to; at++) {
    const value = part.y[at] ?? Number.NaN;
    if (Number.isNaN(value) || part.breaks.has(at)) {
      flush();
      lift(pen);
      if (Number.isNaN(value)) continue;
    }
    const x = Math.round(frame.toX(part.x[at] ?? 0));
    const y = frame.toY(value);
    if (x === column.x) {
      if (y < column.low) column.low = y;
      if (y > column.high) column.high = y;
      column.last = y;
    } else {
      flush();
      column = { x, first: y, low: y, high: y, last: y };
    }
  }
  flush();
  lift(pen);
}

function drawSparse(pen: Pen, frame: Frame, part: Stretch, isStep: boolean): void {
  for (let at = part.from; at <= part.to; at++) {
    const value = part.y[at] ?? Number.NaN;
    const time = part.x[at] ?? 0;
    if (Number.isNaN(value) || part.breaks.has(at)) lift(pen);
    if (Number.isNaN(value)) continue;
    const x = frame.toX(time);
    const y = frame.toY(value);
    // A single point would not be visible as a line.
    if (!isStep && !pen.isDown) draw(pen, x - 0.5, y);
    draw(pen, x, y);
    if (isStep) draw(pen, frame.toX(time + heldFor(part, at)), y);
  }
  lift(pen);
}

/** Duration of an average: its interval, but never beyond the next point. */
function heldFor({ x, step }: Stretch, at: number): number {
  const next = x[at + 1];
  const distance = next === undefined ? Infinity : next - (x[at] ?? 0);
  const held = Math.min(step ?? Infinity, distance);
  return Number.isFinite(held) ? held : 0;
}

/** A bar covers the time from the previous point to its own, in which its value has grown. */
function drawBars(frame: Frame, part: Stretch, fill: Path2D, clip: { left: number; right: number }): void {
  const air = 0.12;
  for (let at = part.from; at <= part.to; at++) {
    const value = part.y[at] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const time = part.x[at] ?? 0;
    const before = part.x[at - 1] ?? time - (part.step ?? 0);
    const right = Math.min(clip.right, frame.toX(time));
    const left = Math.max(clip.left, frame.toX(time - (time - before) * (1 - air)));
    const y = frame.toY(value);
    if (right > left)
      fill.rect(left, Math.min(y, frame.base), Math.max(1, right - left), Math.abs(y - frame.base));
  }
}

/**
 * Path builder for one kind of series. Interrupted at missing values and gaps, so nothing has to be clipped
 * afterwards.
 */
export function pathsOf(style: {
  readonly kind: SeriesKind;
  readonly stepSec: number | null;
  readonly isFilled: boolean;
  readonly gaps: () => readonly Gap[];
}): uPlot.Series.PathBuilder {
  const { kind, stepSec, isFilled, gaps } = style;
  return (u, seriesIdx, idx0, idx1) => {
    const [x, y] = [u.data[0], u.data[seriesIdx]];
    if (!(x instanceof Float64Array) || !(y instanceof Float64Array)) return null;
    const part: Stretch = {
      x,
      y,
      from: Math.max(0, idx0 - 1),
      to: Math.min(x.length - 1, idx1 + 1),
      step: stepSec,
      breaks: pointsBehind(x, gaps()),
    };
    const frame = frameOf(u);
    const stroke = new Path2D();
    if (kind === "bar") {
      const { left, width } = u.bbox;
      drawBars(frame, part, stroke, { left, right: left + width });
      return { stroke: null, fill: stroke, clip: null, flags: 1 };
    }
    const fill = isFilled ? new Path2D() : undefined;
    const pen: Pen = { stroke, fill, base: frame.base, isDown: false, fromX: 0, lastX: 0 };
    if (part.to - part.from > 2 * u.bbox.width) drawDense(pen, frame, part);
    else drawSparse(pen, frame, part, kind === "step");
    return { stroke, fill: fill ?? null, clip: null, flags: 1 };
  };
}
