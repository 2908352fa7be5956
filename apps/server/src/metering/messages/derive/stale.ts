import type { DeviceId, FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { inTransaction, type Events, type Services } from "#core";
import { daysTouched, recountDays } from "../days/index.ts";
import { dependantKinds, dueKinds, markDue, type DueKind, type Mark } from "../due/index.ts";
import { rowsOfPeriod } from "../read/index.ts";
import type { Derived } from "./derive.ts";
import { lowerLatest } from "../latest/index.ts";
import {
  keepCalculated,
  parseValues,
  removeMessages,
  type CalculatedRow,
  type DeviceMetadata,
} from "../rows/index.ts";

/** A stored calculated row, with the fields for which it has a value. */
export interface Calculated {
  readonly msgType: number;
  readonly ts: number;
  readonly names: readonly FieldName[];
  readonly values: Readonly<Partial<Record<FieldName, number>>>;
  readonly status: number;
}

/** Message types with rows that are derived of readings. */
export const derivedTypes: readonly number[] = [5, 100, 101];

/** The rows of a period that are calculated of readings, both ends inclusive; of all types unless some are given. */
export async function readCalculated(
  services: Services,
  deviceId: DeviceId,
  period: { readonly from: number; readonly to: number; readonly types?: readonly number[] },
): Promise<Calculated[]> {
  const { pool } = services.database;
  const rows = await rowsOfPeriod(pool, { deviceIds: [deviceId], ...period }, "derived");
  const { sets } = services.parts.readingStore;
  await sets.load(rows.map((row) => row.field_set_id));
  return rows.map((row) => {
    const v = parseValues(row.v);
    const known = sets.byId(row.field_set_id)?.fields ?? [];
    const names = known.filter((_, at) => typeof v[at] === "number");
    const values = Object.fromEntries(
      names.map((name) => [name, v[known.indexOf(name)]]),
    ) as Calculated["values"];
    return { msgType: row.msg_type, ts: row.ts, names, values, status: row.status };
  });
}

/** Rows with values that no longer follow from the readings. */
export function staleOf(standing: readonly Calculated[], derived: readonly Derived[]): Calculated[] {
  const now = new Map(derived.map(({ msgType, ts, values }) => [`${String(msgType)} ${String(ts)}`, values]));
  return standing.filter(({ msgType, ts, names }) => {
    const values = now.get(`${String(msgType)} ${String(ts)}`);
    return !values || names.some((name) => values[name] === undefined);
  });
}

interface Removal {
  readonly device: DeviceMetadata;
  readonly stale: readonly Calculated[];
  /** Nothing is deleted if the range was marked again: staleness was judged by older readings. */
  readonly marks: number;
  /** What the mark is of; absent: the derived rows of the device. */
  readonly mark?: { readonly kind: DueKind; readonly deviceId: number };
}

/** Deletes rows, keeping them as revisions, and updates the read models, in one transaction. */
export async function removeStale(services: Services, removal: Removal): Promise<void> {
  if (removal.stale.length === 0) return;
  const { device } = removal;
  const { sets, latestCache, revisionPartitions } = services.parts.readingStore;
  await revisionPartitions.ensure([services.clock.now()]);
  const gone = await inTransaction(services.database.pool, async (client) => {
    await client.query("begin");
    const rows = await moveAway(client, removal, services.clock.nowMs());
    await sets.load(rows.map((row) => row.field_set_id));
    const messages = rows.flatMap(({ msg_type: msgType, ts, field_set_id }) => {
      const set = sets.byId(field_set_id);
      return set ? [{ device, msgType, ts, set }] : [];
    });
    await recountDays(client, sets, daysTouched(messages));
    const gone = byType(rows);
    for (const { msgType, at } of gone) await lowerLatest(client, sets, { device, msgType, gone: at });
    await markDue(client, marksOfGone(device, rows));
    return gone;
  });
  for (const { msgType } of gone) latestCache.forget(device.id, msgType);
  if (gone.length > 0) services.bus.publish("readingsStored", spansOf(device, gone));
}

function marksOfGone({ id, dependants }: DeviceMetadata, rows: readonly CalculatedRow[]): Mark[] {
  if (rows.length === 0) return [];
  const times = rows.map(({ ts }) => ts);
  return dependantKinds
    .filter((kind) => (dependants & (1 << kind)) !== 0)
    .map((kind) => ({ kind, deviceId: id, from: Math.min(...times), to: Math.max(...times) }));
}

/** Deletes calculated rows only, whatever has replaced them meanwhile. */
async function moveAway(
  client: pg.ClientBase,
  { device, stale, marks, mark = { kind: dueKinds.derived, deviceId: device.id } }: Removal,
  nowMs: number,
): Promise<CalculatedRow[]> {
  const kept = await keepCalculated(client, {
    deviceId: device.id,
    keys: stale,
    mark: { ...mark, marks },
    nowMs,
    reason: "no longer follows from the readings",
  });
  await removeMessages(client, device.id, kept);
  return kept;
}

interface OfType {
  readonly msgType: number;
  readonly at: ReadonlySet<number>;
}

function byType(rows: readonly CalculatedRow[]): OfType[] {
  const types = [...new Set(rows.map((row) => row.msg_type))].sort((a, b) => a - b);
  return types.map((msgType) => ({
    msgType,
    at: new Set(rows.filter((row) => row.msg_type === msgType).map(({ ts }) => ts)),
  }));
}

/** Publishes that these ranges have changed. */
function spansOf(device: DeviceMetadata, gone: readonly OfType[]): Events["readingsStored"] {
  return gone.map(({ msgType, at }) => ({
    companyId: device.companyId,
    deviceId: device.id,
    msgType,
    from: Math.min(...at),
    to: Math.max(...at),
  }));
}
