import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import type { Clock } from "#core";
import {
  aheadSec,
  inOrderOf,
  parseValues,
  rowsBefore,
  type FieldSet,
  type FieldSets,
  type MessageRow,
} from "../rows/index.ts";
import { withMessage, type Latest, type LatestMessage } from "./latest.ts";

const atOnce = 500;

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
