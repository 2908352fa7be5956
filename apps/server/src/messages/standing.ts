import type pg from "pg";
import { int2Array, int4Array, int8Array } from "./arrays.ts";
import type { FieldSets } from "./fieldSets.ts";
import type { Standing } from "./resolveConflict.ts";
import { compareKeys } from "./rowKey.ts";
import type { ByField } from "./trust.ts";
import type { Row } from "./types.ts";
import { parseValues } from "./values.ts";

interface MessageRow {
  device_id: number;
  msg_type: number;
  ts: number;
  real: number | null;
  received: number;
  field_set_id: number;
  status: number;
  source: number;
  v: string;
  by_field: ByField | null;
  extra: string | null;
}

/** The rows that stand under the keys of these: one a key, by the primary key; the partition follows from the time. */
export async function readStanding(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly rows: readonly Row[]; readonly isLocked: boolean },
): Promise<Map<string, Standing>> {
  const rows = [...given.rows].sort(compareKeys);
  const answer = await client.query<MessageRow>({
    name: `messages-standing-${given.isLocked ? "locked" : "seen"}`,
    text: `select m.* from unnest($1::int4[], $2::int2[], $3::int8[]) as k(device_id, msg_type, ts)
      cross join lateral (
        select device_id, msg_type, ts, real_ts_offset as real, received_at_offset as received, field_set_id, status, source,
          v::text as v, by_field, extra::text as extra
        from message where device_id = k.device_id and msg_type = k.msg_type and ts = k.ts ${given.isLocked ? "for update" : ""}
      ) m`,
    values: [
      int4Array(rows.map((row) => row.device.id)),
      int2Array(rows.map((row) => row.msgType)),
      int8Array(rows.map((row) => row.ts)),
    ],
  });
  await sets.load(answer.rows.map((row) => row.field_set_id));
  const found = new Map<string, Standing>();
  for (const row of answer.rows) {
    const set = sets.byId(row.field_set_id);
    if (!set) continue;
    found.set(`${String(row.device_id)} ${String(row.msg_type)} ${String(row.ts)}`, {
      meterAt: row.real === null ? null : row.ts + row.real,
      receivedAt: row.ts + row.received,
      status: row.status,
      source: row.source,
      set,
      v: parseValues(row.v),
      by_field: row.by_field,
      extra: row.extra,
    });
  }
  return found;
}
