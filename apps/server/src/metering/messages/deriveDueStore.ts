import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { int4Array, int8Array } from "./arrays.ts";
import type { Span } from "./prepare.ts";

/** A range of a device whose derived rows are due; `marks` counts how often it was marked. */
export interface Due {
  readonly device_id: DeviceId;
  readonly from_ts: number;
  readonly to_ts: number;
  readonly marks: number;
}

/** Marks ranges of counters whose derived rows must be recomputed. */
export async function markDue(client: pg.ClientBase, due: ReadonlyMap<number, Span>): Promise<void> {
  if (due.size === 0) return;
  const marks = [...due].sort(([a], [b]) => a - b);
  await client.query({
    name: "messages-due",
    text: `insert into derive_due as d (device_id, from_ts, to_ts)
      select * from unnest($1::int4[], $2::int8[], $3::int8[])
      on conflict (device_id) do update set from_ts = least(d.from_ts, excluded.from_ts),
        to_ts = greatest(d.to_ts, excluded.to_ts), marks = d.marks + 1, leased_until = 0, attempts = 0, error = null`,
    values: [
      int4Array(marks.map(([id]) => id)),
      int8Array(marks.map(([, span]) => span.from)),
      int8Array(marks.map(([, span]) => span.to)),
    ],
  });
}

/** Takes some devices after an id, in order. Index: primary key of derive_due. */
export async function leaseDue(
  pool: pg.Pool,
  of: {
    readonly now: number;
    readonly leaseSec: number;
    readonly mostAttempts: number;
    readonly atOnce: number;
    readonly after: number;
  },
): Promise<Due[]> {
  const { rows } = await pool.query<Due>({
    name: "messages-derive-lease",
    text: `update derive_due d set leased_until = $1::int8 + ${String(of.leaseSec)}
      from (
        select device_id from derive_due
        where leased_until <= $1::int8 and attempts < ${String(of.mostAttempts)} and device_id > $2::int4
        order by device_id limit ${String(of.atOnce)} for update skip locked
      ) k
      where d.device_id = k.device_id
      returning d.device_id, d.from_ts, d.to_ts, d.marks`,
    values: [of.now, of.after],
  });
  return rows;
}

/** Its range is done, unless it was marked again meanwhile. */
export async function forgetDue(pool: pg.Pool, { device_id, marks }: Due): Promise<void> {
  await pool.query("delete from derive_due where device_id = $1 and marks = $2", [device_id, marks]);
}

/** For the next turn, with the rest of the range; if it was marked again meanwhile, with the whole of it. */
export async function giveBack(pool: pg.Pool, due: Due, fromTs = due.from_ts): Promise<void> {
  await pool.query(
    "update derive_due set from_ts = $3::int8, leased_until = 0 where device_id = $1::int4 and marks = $2::int4",
    [due.device_id, due.marks, fromTs],
  );
}

/** Counts a failure, unless the device was marked again meanwhile; returns the number of failures. */
export async function countFailure(pool: pg.Pool, due: Due, error: unknown): Promise<number> {
  const { rows } = await pool.query<{ attempts: number }>(
    `update derive_due set attempts = attempts + 1, error = $3::text where device_id = $1::int4 and marks = $2::int4
      returning attempts`,
    [due.device_id, due.marks, error instanceof Error ? error.message : String(error)],
  );
  return rows[0]?.attempts ?? 0;
}
