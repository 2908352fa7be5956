import type uPlot from "uplot";
import type { Band, Gap, MarkLine, Span } from "./data.ts";
import { tokenOf } from "#lib/theme";

/** Layers behind and above the lines; read at each paint, so a change needs no new chart. */
export interface Layers {
  readonly bands: readonly Band[];
  readonly gaps: readonly Gap[];
  readonly marks: readonly MarkLine[];
  readonly now: number | null;
  readonly nowLabel: string;
}

function clipped(u: uPlot, span: Span): { left: number; width: number } | undefined {
  const { left, width } = u.bbox;
  const from = Math.max(left, u.valToPos(span.from, "x", true));
  const to = Math.min(left + width, u.valToPos(span.to, "x", true));
  return to > from ? { left: from, width: to - from } : undefined;
}

function hatch(u: uPlot, colour: string): CanvasPattern | null {
  const ratio = devicePixelRatio;
  const size = Math.round(6 * ratio);
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const pen = tile.getContext("2d");
  if (!pen) return null;
  pen.strokeStyle = colour;
  pen.lineWidth = ratio;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return u.ctx.createPattern(tile, "repeat");
}

function drawMark(u: uPlot, mark: MarkLine): void {
  const { ctx, bbox } = u;
  const y = u.valToPos(mark.value, "y", true);
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  const ratio = devicePixelRatio;
  ctx.strokeStyle = ctx.fillStyle = tokenOf(u.root, mark.tone);
  ctx.lineWidth = 1.25 * ratio;
  ctx.setLineDash(mark.dash.map((each) => each * ratio));
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.textAlign = "left";
  ctx.textBaseline = "bottom";
  ctx.fillText(mark.label, bbox.left + 6 * ratio, y - 3 * ratio);
}

function drawNow(u: uPlot, now: number, label: string): void {
  const { ctx, bbox } = u;
  const x = Math.round(u.valToPos(now, "x", true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  const ratio = devicePixelRatio;
  ctx.strokeStyle = ctx.fillStyle = tokenOf(u.root, "accent");
  ctx.lineWidth = 1.5 * ratio;
  ctx.setLineDash([2 * ratio, 3 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.setLineDash([]);
  const fits = x + ctx.measureText(label).width + 8 * ratio < bbox.left + bbox.width;
  ctx.textAlign = fits ? "left" : "right";
  ctx.textBaseline = "top";
  ctx.fillText(label, x + (fits ? 5 : -5) * ratio, bbox.top + 3 * ratio);
}

/** Bands and hatched gaps behind the lines; mark lines and the line of the present above them. */
export function layersPlugin(layers: () => Layers, font: () => string): uPlot.Plugin {
  return {
    hooks: {
      drawClear: (u) => {
        const { ctx, bbox } = u;
        const { bands, gaps } = layers();
        ctx.save();
        ctx.fillStyle = tokenOf(u.root, "warn");
        ctx.globalAlpha = 0.1;
        for (const band of bands) {
          const at = clipped(u, band);
          if (at) ctx.fillRect(at.left, bbox.top, at.width, bbox.height);
        }
        ctx.globalAlpha = 1;
        const pattern = gaps.length > 0 ? hatch(u, tokenOf(u.root, "line-2")) : null;
        for (const gap of gaps) {
          const at = clipped(u, gap);
          if (!at || !pattern) continue;
          ctx.fillStyle = pattern;
          ctx.fillRect(at.left, bbox.top, Math.max(at.width, devicePixelRatio), bbox.height);
        }
        ctx.restore();
      },
      draw: (u) => {
        const { marks, now, nowLabel } = layers();
        u.ctx.save();
        u.ctx.font = font();
        for (const mark of marks) drawMark(u, mark);
        if (now !== null) drawNow(u, now, nowLabel);
        u.ctx.restore();
      },
    },
  };
}

export interface ZoomActions {
  readonly zoom: (span: Span) => void;
  readonly back: () => void;
  /** The whole period: nothing is shown outside it. */
  readonly bounds: () => Span;
}

/** Keeps a range inside the limits, without changing its length if possible. */
export function boundWindow(window: Span, bounds: Span): Span {
  const length = Math.min(window.to - window.from, bounds.to - bounds.from);
  const from = Math.min(Math.max(window.from, bounds.from), bounds.to - length);
  return { from, to: from + length };
}

/** A range around a time, smaller or larger by a factor. */
export function zoomAround(window: Span, at: number, factor: number, bounds: Span): Span {
  const shortest = 60;
  const length = Math.max((window.to - window.from) * factor, shortest);
  const share = (at - window.from) / (window.to - window.from);
  return boundWindow({ from: at - length * share, to: at + length * (1 - share) }, bounds);
}

function windowOf(u: uPlot): Span {
  return { from: u.scales.x?.min ?? 0, to: u.scales.x?.max ?? 1 };
}

function startPan(u: uPlot, event: MouseEvent, actions: ZoomActions): void {
  const first = windowOf(u);
  const perPixel = (first.to - first.from) / u.over.clientWidth;
  const moved = (now: MouseEvent) => {
    const shift = (event.clientX - now.clientX) * perPixel;
    return boundWindow({ from: first.from + shift, to: first.to + shift }, actions.bounds());
  };
  const move = (now: MouseEvent) => {
    const { from, to } = moved(now);
    u.setScale("x", { min: from, max: to });
  };
  const end = (now: MouseEvent) => {
    document.removeEventListener("mousemove", move);
    document.removeEventListener("mouseup", end);
    actions.zoom(moved(now));
  };
  document.addEventListener("mousemove", move);
  document.addEventListener("mouseup", end);
}

/** Dragging zooms, double click resets, the wheel with Ctrl zooms at the pointer, Shift drags the range. */
export function zoomPlugin(actions: ZoomActions): uPlot.Plugin {
  return {
    opts: (_u, options) => {
      options.cursor = {
        ...options.cursor,
        drag: { x: true, y: false, setScale: false, dist: 5 },
        bind: {
          mousedown: (plot, _target, handler) => (event) => {
            if (event.shiftKey) startPan(plot, event, actions);
            else handler(event);
            return null;
          },
          dblclick: () => () => {
            actions.back();
            return null;
          },
        },
      };
    },
    hooks: {
      setSelect: (u) => {
        const { left, width } = u.select;
        if (width < 5) return;
        const span = { from: u.posToVal(left, "x"), to: u.posToVal(left + width, "x") };
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        actions.zoom(boundWindow(span, actions.bounds()));
      },
      ready: (u) => {
        u.over.addEventListener(
          "wheel",
          (event) => {
            if (!event.ctrlKey && !event.metaKey) return;
            event.preventDefault();
            const at = u.posToVal(event.offsetX, "x");
            actions.zoom(zoomAround(windowOf(u), at, event.deltaY > 0 ? 1.25 : 0.8, actions.bounds()));
          },
          { passive: false },
        );
      },
    },
  };
}
