import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { inOrderOf, type FieldSets } from "./fieldSets.ts";
import { tsOfLatest, withMessage, type Latest, type LatestMessage } from "./latest.ts";
import { lockLatest, readLatestOf, removeLatest, writeLatest } from "./latestStore.ts";
import { rowsBefore, type MessageRow } from "./messageStore.ts";
import type { DeviceMetadata, FieldSet } from "./types.ts";
import { parseValues } from "./values.ts";

const atOnce = 500;

/**
 * When messages with a latest value are deleted, the value before it becomes the latest. Messages are read
 * backwards by the primary key until every field has a value; the first of them nearly always has all.
 */
export async function lowerLatest(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly device: DeviceMetadata; readonly msgType: number; readonly gone: ReadonlySet<number> },
): Promise<void> {
  const { device, msgType, gone } = given;
  await lockLatest(client, [given]);
  const standing = (await readLatestOf(client, sets, [given])).get(`${String(device.id)} ${String(msgType)}`);
  if (!standing) return;
  const wanted = new Set<string>(standing.set.fields.filter((_, at) => (standing.v[at] ?? null) !== null));
  if (!gone.has(standing.ts) && ![...wanted].some((name) => gone.has(tsOfLatest(standing, name)))) return;
  const { set } = standing;
  const latest = await latestOfMessages(client, sets, {
    ...{ deviceId: device.id, msgType, set, wanted },
    before: standing.ts + 1,
  });
  if (latest) await writeLatest(client, [{ device, msgType, latest }], "locked");
  else await removeLatest(client, device.id, msgType);
}

interface OfMessages {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  /** With every field of the messages. */
  readonly set: FieldSet;
  /** Fields that have a value somewhere. */
  readonly wanted: ReadonlySet<string>;
  readonly before: number;
}

/** The latest values by the messages before an instant, which are read backwards until each wanted field has one. */
export async function latestOfMessages(
  client: pg.ClientBase,
  sets: FieldSets,
  { deviceId, msgType, set, wanted, before }: OfMessages,
): Promise<Latest | undefined> {
  const missing = new Set(wanted);
  let latest: Latest | undefined;
  for (let end = before; missing.size > 0;) {
    const rows = await rowsBefore(client, { deviceId, msgType, before: end, limit: atOnce });
    await sets.load(rows.map((row) => row.field_set_id));
    for (const row of rows) {
      latest = withMessage(latest, messageOf(row, sets, set));
      set.fields.forEach((name, at) => (latest?.v[at] ?? null) !== null && missing.delete(name));
    }
    if (rows.length < atOnce) break;
    end = rows.at(-1)?.ts ?? 0;
  }
  return latest;
}

function messageOf(row: MessageRow, sets: FieldSets, set: FieldSet): LatestMessage {
  const { ts, received_at: receivedAt, status, source, by_field } = row;
  const own = sets.byId(row.field_set_id) ?? set;
  return { ts, receivedAt, status, source, set, v: inOrderOf(set, own, parseValues(row.v)), by_field };
}
