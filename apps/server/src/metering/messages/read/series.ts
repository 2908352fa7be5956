import { messageLimit } from "@metrum/contract/metering";
import { resourceOfGroup, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { toHours } from "./hours.ts";
import { journalType, readEvents } from "../journals/index.ts";
import {
  counterRange,
  fallsIn,
  isArchive,
  withoutRollover,
  type Falls,
  type Point,
  type SamplesOf,
} from "../growth/index.ts";
import { profileType } from "../received/index.ts";
import { lastTrusted, shownRows, type ShownRow } from "./shown.ts";
import * as store from "./store.ts";
import { growingFields, type TableOptions } from "./table.ts";

/** A message type in a period, both ends inclusive. */
export interface Wanted {
  readonly msgType: number;
  readonly profile_type?: 30 | 60 | undefined;
  readonly startDate: number;
  readonly stopDate: number;
}

/** The newest rows of the period, oldest first, as stored or by hours of the device's zone. */
export async function rowsFor(
  ctx: Ctx,
  device: store.ShownDevice,
  {
    msgType,
    profile_type,
    startDate,
    stopDate,
    limit = messageLimit,
  }: Wanted & { readonly limit?: number | undefined },
): Promise<{ rows: readonly ShownRow[]; truncated: boolean }> {
  if (msgType === journalType) {
    const wanted = { deviceId: device.id, from: startDate, to: stopDate, limit: limit + 1 };
    const events = await readEvents(ctx.db, wanted);
    return { rows: events.slice(-limit), truncated: events.length > limit };
  }
  const isHourly = msgType === profileType && profile_type === 60;
  const halves = isHourly ? 2 : 1;
  const read = await store.readSeries(ctx.db, {
    deviceId: device.id,
    msgType,
    from: startDate,
    to: stopDate,
    limit: halves * (limit + 1),
  });
  const stored = await shownRows(ctx.parts.readingStore.sets, read);
  const rows = isHourly ? toHours(stored, device.zone) : stored;
  return { rows: rows.slice(-limit), truncated: rows.length > limit };
}

/** Values from which the growth of the first rows is computed. */
export async function startOf(
  ctx: Ctx,
  given: { readonly rows: readonly ShownRow[]; readonly deviceId: DeviceId; readonly msgType: number },
): Promise<ReadonlyMap<FieldName, Point>> {
  const { rows, deviceId, msgType } = given;
  const [first] = rows;
  const names = growingFields(rows, msgType);
  if (!first || names.length === 0) return new Map<FieldName, Point>();
  return lastTrusted(ctx.db, ctx.parts.readingStore.sets, { deviceId, msgType, before: first.ts, names });
}

interface Growing {
  readonly device: store.ShownDevice;
  readonly body: Pick<Wanted, "msgType">;
  readonly rows: readonly ShownRow[];
  readonly before: ReadonlyMap<FieldName, Point>;
  readonly rangeOf: TableOptions["rangeOf"];
}

/** Archives have values at their times only: a reset in between shows in the readings. */
export async function fallsOf(ctx: Ctx, { device, body, rows, before, rangeOf }: Growing): Promise<Falls> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || !isArchive(body.msgType)) return new Map();
  const from = Math.min(first.ts, ...[...before.values()].map(({ ts }) => ts));
  const names = growingFields(rows, body.msgType);
  return fallsIn(ctx.db, { deviceId: device.id, from, to: last.ts, names, rangeOf });
}

export type Measured = Pick<TableOptions, "resource" | "rangeOf">;

/** Metadata needed to interpret the values and counters of a device. */
export async function measuredBy(
  ctx: Ctx,
  device: store.ShownDevice,
  samplesOf: SamplesOf,
): Promise<Measured> {
  const metadata = (await ctx.parts.readingStore.metadata.of([device.id])).get(device.id);
  return {
    resource: resourceOfGroup(device.device_group_id).key,
    rangeOf: (name) =>
      metadata ? counterRange(metadata, name, samplesOf(device.id, name)) : withoutRollover,
  };
}
