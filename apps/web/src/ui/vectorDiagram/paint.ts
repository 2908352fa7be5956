import type { Phasor } from "./phasors.ts";

/** Side of the canvas in CSS pixels. */
export const side = 300;
const middle = side / 2;
const radius = 104;
const headPx = 9;
const letters = ["A", "B", "C"] as const;

export interface Colours {
  readonly voltage: string;
  readonly current: string;
  readonly line: string;
  readonly text: string;
  readonly panel: string;
  readonly font: string;
}

/** Paints circles, degrees and arrows; angles run clockwise from the top. */
export function paint(context: CanvasRenderingContext2D, phasors: readonly Phasor[], colours: Colours): void {
  context.clearRect(0, 0, side, side);
  context.lineWidth = 1;
  context.strokeStyle = colours.line;
  for (const share of [0.5, 1]) {
    context.beginPath();
    context.arc(middle, middle, radius * share, 0, 2 * Math.PI);
    context.stroke();
  }
  for (const degrees of [0, 90]) {
    const [x, y] = tip(degrees, radius);
    line(context, [2 * middle - x, 2 * middle - y], [x, y]);
  }
  context.fillStyle = colours.text;
  context.font = `400 11px ${colours.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const degrees of [0, 90, 180, 270])
    context.fillText(`${String(degrees)}°`, ...tip(degrees, degrees % 180 === 0 ? radius + 34 : radius + 28));
  for (const phasor of phasors) arrow(context, phasor, colours);
}

function arrow(context: CanvasRenderingContext2D, phasor: Phasor, colours: Colours): void {
  const { kind, phase, length, degrees } = phasor;
  const isVoltage = kind === "voltage";
  const reach = radius * length;
  const end = tip(degrees, reach);
  context.strokeStyle = context.fillStyle = isVoltage ? colours.voltage : colours.current;
  context.lineWidth = 2;
  context.setLineDash(isVoltage ? [] : [5, 4]);
  line(context, [middle, middle], tip(degrees, Math.max(0, reach - headPx)));
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(...end);
  for (const turn of [-1, 1]) {
    const [x, y] = tip(degrees, reach - headPx);
    const [sideX, sideY] = tip(degrees + 90 * turn, headPx / 2.4);
    context.lineTo(x + sideX - middle, y + sideY - middle);
  }
  context.closePath();
  context.fill();
  const text = `${isVoltage ? "U" : "I"}${letters[phase - 1] ?? ""}`;
  context.font = `600 12px ${colours.font}`;
  const at = tip(degrees + (isVoltage ? 0 : 9), reach + 13);
  // The letters stay readable if a vector passes below them.
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeStyle = colours.panel;
  context.strokeText(text, ...at);
  context.fillText(text, ...at);
}

function tip(degrees: number, length: number): [number, number] {
  const angle = (degrees * Math.PI) / 180;
  return [middle + Math.sin(angle) * length, middle - Math.cos(angle) * length];
}

function line(
  context: CanvasRenderingContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}
