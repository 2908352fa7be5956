import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import type { Clock } from "#core";
import { aheadSec, inOrderOf, parseValues, type FieldSet, type FieldSets } from "../rows/index.ts";
import { nearestRows, type NearRow } from "../read/index.ts";
import { withMessage, type Latest, type LatestMessage } from "./latest.ts";

const atOnce = 500;
/** Longer than there have been meters. */
const anyTime = 2 ** 40;

/** Messages of this time and later were stamped by a clock that was ahead, and do not count as latest. */
export const countedBefore = (clock: Pick<Clock, "now">): number => clock.now() + aheadSec + 1;

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
    const at = { deviceId, msgType, ts: end - 1 };
    const [rows = []] = await nearestRows(client, [at], { upTo: atOnce, reachSec: anyTime });
    await sets.load(rows.map((row) => row.field_set_id));
    for (const row of rows) {
      latest = withMessage(latest, messageOf(row, sets, set));
      set.fields.forEach((name, at) => (latest?.v[at] ?? null) !== null && missing.delete(name));
    }
    if (rows.length < atOnce) break;
    end = rows[0]?.ts ?? 0;
  }
  return latest;
}

function messageOf(row: NearRow, sets: FieldSets, set: FieldSet): LatestMessage {
  const { ts, received, status, source, by_field } = row;
  const own = sets.byId(row.field_set_id) ?? set;
  const v = inOrderOf(set, own, parseValues(row.v));
  return { ts, receivedAt: ts + received, status, source, set, v, by_field };
}
