import type { DeviceId, FieldName } from "@metrum/vocabulary";
import type { Point } from "../growth/index.ts";

/** The nearest values of a register, and those of the same instant. */
export interface Beside {
  readonly before: Point | undefined;
  readonly then: Point | undefined;
  readonly after: Point | undefined;
}

/**
 * Values of the rows of a file that are not doubted. Rows may be judged anew: what was added since `keep` is a trial
 * that `discard` takes back.
 */
export interface FileValues {
  readonly keep: () => void;
  readonly discard: () => void;
  readonly beside: (deviceId: DeviceId, name: FieldName, ts: number) => Beside;
  readonly add: (deviceId: DeviceId, name: FieldName, point: Point) => void;
}

export function fileValues(): FileValues {
  const registers = new Map<string, Point[]>();
  const pointsOf = (deviceId: DeviceId, name: FieldName): Point[] => {
    const key = `${String(deviceId)} ${name}`;
    const known = registers.get(key);
    if (known) return known;
    const made: Point[] = [];
    registers.set(key, made);
    return made;
  };
  let tried: (() => void)[] = [];
  return {
    keep() {
      tried = [];
    },
    discard() {
      for (const takeBack of tried.reverse()) takeBack();
      tried = [];
    },
    beside(deviceId, name, ts) {
      const points = pointsOf(deviceId, name);
      const at = placeOf(points, ts);
      const then = points[at]?.ts === ts ? points[at] : undefined;
      return { before: points[at - 1], then, after: points[then ? at + 1 : at] };
    },
    add(deviceId, name, point) {
      const points = pointsOf(deviceId, name);
      const at = placeOf(points, point.ts);
      if (points[at]?.ts === point.ts) return;
      points.splice(at, 0, point);
      tried.push(() => points.splice(points.indexOf(point), 1));
    },
  };
}

/** The place of the first value at an instant or later; most files are in order of time. */
function placeOf(points: readonly Point[], ts: number): number {
  let [from, to] = [0, points.length];
  if ((points.at(-1)?.ts ?? -Infinity) < ts) return to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((points[middle]?.ts ?? Infinity) < ts) from = middle + 1;
    else to = middle;
  }
  return from;
}
