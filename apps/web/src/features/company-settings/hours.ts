import type { PeakHours, PeakRange } from "@metrum/contract/access";

export const months = Array.from({ length: 12 }, (_, at) => at + 1);
export const hours = Array.from({ length: 24 }, (_, hour) => hour);
/** Maximum ranges per month (SERV-020). */
export const mostRanges = 2;

/** Painted hours by month: 12 rows of 24, January first. */
export type Painting = readonly (readonly boolean[])[];

export function paintingOf(list: readonly PeakHours[]): Painting {
  return months.map((month) => {
    const ranges = list.find((each) => each.month === month)?.ranges ?? [];
    return hours.map((hour) => ranges.some(({ start, stop }) => start <= hour && hour < stop));
  });
}

/** The ranges of one row: adjacent painted hours are one range. */
export function rangesOf(line: readonly boolean[]): readonly PeakRange[] {
  const starts = hours.filter((hour) => line[hour] === true && line[hour - 1] !== true);
  return starts.map((start) => {
    const length = line.slice(start).findIndex((isOn) => !isOn);
    return { start, stop: length === -1 ? line.length : start + length };
  });
}

/** The list to save: months without peak hours are omitted. */
export function listOf(painting: Painting): PeakHours[] {
  return painting.flatMap((line, at) => {
    const ranges = [...rangesOf(line)];
    return ranges.length === 0 ? [] : [{ month: at + 1, ranges }];
  });
}

export interface Cell {
  readonly month: number;
  readonly hour: number;
}

/** Sets or clears every cell between two corners. */
export function paint(painting: Painting, from: Cell, to: Cell, isOn: boolean): Painting {
  const isBetween = (value: number, a: number, b: number) =>
    value >= Math.min(a, b) && value <= Math.max(a, b);
  return painting.map((line, at) =>
    isBetween(at + 1, from.month, to.month)
      ? line.map((was, hour) => (isBetween(hour, from.hour, to.hour) ? isOn : was))
      : line,
  );
}

/** Months with too many ranges. */
export function overfull(painting: Painting): readonly number[] {
  return months.filter((month) => rangesOf(painting[month - 1] ?? []).length > mostRanges);
}

/** Target of an arrow key; null for another key. */
export function neighbour({ month, hour }: Cell, key: string): Cell | null {
  const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  switch (key) {
    case "ArrowUp":
      return { month: within(month - 1, 1, 12), hour };
    case "ArrowDown":
      return { month: within(month + 1, 1, 12), hour };
    case "ArrowLeft":
      return { month, hour: within(hour - 1, 0, 23) };
    case "ArrowRight":
      return { month, hour: within(hour + 1, 0, 23) };
    case "Home":
      return { month, hour: 0 };
    case "End":
      return { month, hour: 23 };
    default:
      return null;
  }
}
