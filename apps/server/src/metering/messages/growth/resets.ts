import type { DeviceId, FieldName } from "@metrum/vocabulary";
import type { Db } from "#core";
import { stepsOfCounters, type DoubtedStep, type WantedSteps } from "../read/index.ts";
import type { CounterRange, Point } from "./counter.ts";
import { growth } from "./growth.ts";
import { doubtedLoad, doubtedSec } from "./load.ts";

/** Two consecutive trusted readings between which a counter was reset or replaced. */
export interface Fall {
  readonly before: Point;
  readonly after: Point;
}

/** By field, oldest first. */
export type Falls = ReadonlyMap<FieldName, readonly Fall[]>;

/** Archives of counters: hourly, daily, monthly. */
const archiveTypes: ReadonlySet<number> = new Set([100, 101, 103]);

/** Whether there may be readings between two rows of a type that give more detail. */
export const isArchive = (msgType: number): boolean => archiveTypes.has(msgType);

/**
 * Growth of a counter between two values, null if the readings between them show a reset, however high it is
 * at the end. A decrease that crosses one of the two instants counts if the value belongs to its other side.
 */
export function growthBetween(
  from: Point,
  to: Point,
  { range, falls }: { readonly range: CounterRange; readonly falls: readonly Fall[] | undefined },
): number | null {
  const grown = growth(from, to, range);
  if (grown === null || !falls) return grown;
  const isBroken = falls.some(
    ({ before, after }) =>
      before.ts < to.ts &&
      after.ts > from.ts &&
      (before.ts >= from.ts || growth(from, after, range) === null) &&
      (after.ts <= to.ts || growth(before, to, range) === null),
  );
  return isBroken ? null : grown;
}

/** Decreases and leaps in the readings of a device, in a range and at its ends, oldest first. */
export const doubtedSteps = (db: Db, wanted: WantedSteps): Promise<DoubtedStep[]> =>
  stepsOfCounters(db, { ...wanted, leastSec: doubtedSec });

/**
 * The decreases and leaps of these counters in the readings of a device in a range, and at its ends, as they are doubted
 * by the digits of the counters alone.
 */
export async function doubtedIn(
  db: Db,
  wanted: {
    readonly deviceId: DeviceId;
    readonly from: number;
    readonly to: number;
    readonly names: readonly FieldName[];
    readonly rangeOf: (name: FieldName) => CounterRange;
  },
): Promise<DoubtedStep[]> {
  const { deviceId, from, to, names, rangeOf } = wanted;
  if (names.length === 0) return [];
  const counters = names.map((name) => ({ name, load: doubtedLoad(rangeOf(name)) }));
  return doubtedSteps(db, { deviceId, from, to, counters });
}

/** Of doubted steps, oldest first, those that no growth explains. */
export function fallsOf(
  steps: readonly DoubtedStep[],
  rangeOf: (name: FieldName) => CounterRange,
): Map<FieldName, Fall[]> {
  const found = new Map<FieldName, Fall[]>();
  for (const { name, ts, value, status, ts0, value0 } of steps) {
    const fall: Fall = { before: { ts: ts0, value: value0 }, after: { ts, value, status } };
    if (growth(fall.before, fall.after, rangeOf(name)) !== null) continue;
    const falls = found.get(name) ?? [];
    falls.push(fall);
    found.set(name, falls);
  }
  return found;
}
