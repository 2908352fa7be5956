import type { DeviceId, FieldName } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import {
  counterOrigins,
  counterTypes,
  firstReadingTime,
  readingAt,
  type ExactRange,
  type OriginalReading,
} from "#metering/messages";
import { countedOf } from "./totals/nodes.ts";
import { nearest } from "./totals/usual.ts";

/** A register of a device with the range of its counter. */
export interface Counter {
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  readonly range: ExactRange;
}

/** Searches of a reading that counts, each over six hours in which the others do not. */
const tries = 20;

/** The newest reading at or before an instant that the days of a point count with. */
export async function countedAt(
  ctx: Ctx,
  counter: Counter,
  at: number,
): Promise<OriginalReading | undefined> {
  const { deviceId, field } = counter;
  let to = at;
  for (let n = 0; n < tries; n++) {
    const newest = await readingAt(readersOf(ctx), { deviceId, field, at: to, types: counterTypes });
    if (!newest) return undefined;
    const counted = await countedIn(ctx, counter, { from: newest.ts - nearest, to: newest.ts });
    if (counted.length > 0) return counted.at(-1);
    to = newest.ts - nearest - 1;
  }
  return undefined;
}

/** The first reading from an instant to another, both inclusive, that the days of a point count with. */
export async function countedFrom(
  ctx: Ctx,
  counter: Counter,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<OriginalReading | undefined> {
  const { deviceId, field } = counter;
  let start = from;
  for (let n = 0; n < tries && start <= to; n++) {
    const ts = await firstReadingTime(readersOf(ctx), { deviceId, field, from: start, to });
    if (ts === undefined) return undefined;
    const end = Math.min(to, ts + nearest);
    const [counted] = await countedIn(ctx, counter, { from: ts, to: end });
    if (counted) return counted;
    start = end + 1;
  }
  return undefined;
}

/** Readings of a span that count. */
async function countedIn(
  ctx: Ctx,
  { deviceId, field, range }: Counter,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<OriginalReading[]> {
  const span = { from: from - nearest, to: to + nearest };
  const readings = await counterOrigins(readersOf(ctx), { deviceId, field, ...span });
  return countedOf(readings, range).filter(({ ts }) => ts >= from && ts <= to);
}

export const readersOf = (ctx: Ctx) => ({ db: ctx.db, sets: ctx.parts.readingStore.sets });
