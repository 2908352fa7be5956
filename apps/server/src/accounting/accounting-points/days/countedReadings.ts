import { statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import {
  counterOrigins,
  counterTypes,
  firstTrusted,
  knowingLoads,
  lastTrusted,
  readLoads,
  type OriginalReading,
  type Point,
} from "#metering/messages";
import { countedOf, exactRange } from "./nodes.ts";
import { nearest } from "./usual.ts";

/** Registers of a device. */
export interface Registers {
  readonly deviceId: DeviceId;
  readonly names: readonly FieldName[];
}

/** By register; those without a reading are absent. */
export type Counted = ReadonlyMap<FieldName, OriginalReading>;

/** Searches of a reading that counts, each over six hours in which the others do not. */
const tries = 20;

/** The newest readings at or before an instant, whatever their age, that the days of a point count with. */
export async function countedAt(ctx: Ctx, { deviceId, names }: Registers, at: number): Promise<Counted> {
  const { db, sets } = readersOf(ctx);
  const found = new Map<FieldName, OriginalReading>();
  let wanted = new Map(names.map((name) => [name, at]));
  for (let n = 0; n < tries && wanted.size > 0; n++) {
    const newest = await chosen(wanted, (msgType, before, fields) =>
      lastTrusted(db, sets, { deviceId, msgType, before: before + 1, from: 0, names: fields }),
    );
    wanted = new Map();
    for (const [ts, fields] of grouped(newest, Math.max)) {
      const span = { from: ts - nearest, to: ts };
      const counted = await countedIn(ctx, { deviceId, names: fields }, span);
      for (const field of fields) {
        const last = counted.get(field)?.at(-1);
        if (last) found.set(field, last);
        else wanted.set(field, span.from - 1);
      }
    }
  }
  return found;
}

/** The first readings from an instant to another, both inclusive, that the days of a point count with. */
export async function countedFrom(
  ctx: Ctx,
  { deviceId, names }: Registers,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Counted> {
  const { db, sets } = readersOf(ctx);
  const found = new Map<FieldName, OriginalReading>();
  let wanted = new Map(names.map((name) => [name, from]));
  for (let n = 0; n < tries && wanted.size > 0; n++) {
    const first = await chosen(wanted, (msgType, start, fields) =>
      firstTrusted(db, sets, { deviceId, msgType, from: start, to, names: fields }),
    );
    wanted = new Map();
    for (const [ts, fields] of grouped(first, Math.min)) {
      const span = { from: ts, to: Math.min(to, ts + nearest) };
      const counted = await countedIn(ctx, { deviceId, names: fields }, span);
      for (const field of fields) {
        const [reading] = counted.get(field) ?? [];
        if (reading) found.set(field, reading);
        else if (span.to < to) wanted.set(field, span.to + 1);
      }
    }
  }
  return found;
}

type Times = ReadonlyMap<FieldName, number>;

/** Trusted readings of registers by the instants that their search begins at, of each type. */
async function chosen(
  wanted: Times,
  search: (
    msgType: number,
    at: number,
    fields: readonly FieldName[],
  ) => Promise<ReadonlyMap<FieldName, Point>>,
): Promise<ReadonlyMap<FieldName, readonly number[]>> {
  const times = new Map<FieldName, number[]>();
  for (const [at, fields] of grouped(new Map([...wanted].map(([field, each]) => [field, [each]])), Math.max))
    for (const msgType of counterTypes)
      for (const [field, { ts }] of await search(msgType, at, fields))
        times.set(field, [...(times.get(field) ?? []), ts]);
  return times;
}

/** Registers by the instant that is chosen of theirs: those of one message are read together. */
function grouped(
  times: ReadonlyMap<FieldName, readonly number[]>,
  choose: (...all: readonly number[]) => number,
): ReadonlyMap<number, readonly FieldName[]> {
  const groups = new Map<number, FieldName[]>();
  for (const [field, all] of times) {
    const ts = choose(...all);
    groups.set(ts, [...(groups.get(ts) ?? []), field]);
  }
  return groups;
}

/** Readings of a span that count, in the order of time. */
async function countedIn(
  ctx: Ctx,
  { deviceId, names }: Registers,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadonlyMap<FieldName, readonly OriginalReading[]>> {
  const device = (await ctx.parts.readingStore.metadata.of([deviceId])).get(deviceId);
  const span = { from: from - nearest, to: to + nearest };
  const read = await counterOrigins(readersOf(ctx), { deviceId, names, types: counterTypes, ...span });
  return knowingLoads(
    readLoads(ctx.db),
    (samplesOf) =>
      new Map(
        [...read].map(([field, readings]) => {
          const counted = countedOf(readings, exactRange(device, field, samplesOf));
          return [field, counted.filter(({ ts }) => ts >= from && ts <= to)];
        }),
      ),
  );
}

/** A reading that counts at an instant, as far as it decides what counted before it. */
export interface CountedBefore {
  readonly ts: number;
  readonly value: number;
  readonly receivedAt: number;
  readonly source: string;
}

/** The reading that counted at an instant before another was received, if it follows from no other one. */
export async function countedBefore(
  ctx: Ctx,
  of: { readonly deviceId: DeviceId; readonly field: FieldName; readonly boundary: number },
  now: CountedBefore,
): Promise<OriginalReading | undefined> {
  const { deviceId, field, boundary } = of;
  const device = (await ctx.parts.readingStore.metadata.of([deviceId])).get(deviceId);
  const span = { from: now.ts - 2 * nearest, to: Math.max(now.ts, boundary) + nearest };
  const read = await counterOrigins(readersOf(ctx), {
    deviceId,
    names: [field],
    types: counterTypes,
    ...span,
  });
  const earlier = (read.get(field) ?? []).filter(({ receivedAt }) => receivedAt < now.receivedAt);
  const last = await knowingLoads(readLoads(ctx.db), (samplesOf) =>
    countedOf(earlier, exactRange(device, field, samplesOf)).findLast(({ ts }) => ts <= boundary),
  );
  return last && last.ts >= now.ts - nearest && (!last.isCalculated || isEstimate(last)) ? last : undefined;
}

const isEstimate = ({ status }: OriginalReading): boolean => status === statuses.estimated.id;

export const readersOf = (ctx: Ctx) => ({ db: ctx.db, sets: ctx.parts.readingStore.sets });
