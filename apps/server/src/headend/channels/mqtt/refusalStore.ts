import { sql } from "kysely";
import type { MqttRefusalReason } from "@metrum/contract/metering";
import type { Database, Db } from "#core";

/** Refusals of one reason to an account. */
export interface MqttRefusal {
  readonly reason: MqttRefusalReason;
  /** The topic or filter that was refused last; empty for reasons without one. */
  readonly detail: string;
  readonly count: number;
  /** Epoch seconds UTC of the last one. */
  readonly last_at: number;
}

/**
 * Adds refusals to those of their accounts; names without an account are left out. Rows: one per account and
 * reason, by primary key.
 */
export async function addRefusals(
  { system }: Database,
  refusals: readonly (MqttRefusal & { readonly username: string })[],
): Promise<void> {
  await sql`
    insert into mqtt_refusal as r (username, reason, company_id, detail, count, last_at)
    select a.username, n.reason, a.company_id, n.detail, n.count, n.last_at
    from json_to_recordset(${JSON.stringify(refusals)}::json)
      as n(username text, reason text, detail text, count bigint, last_at bigint)
    join mqtt_account a on a.username = n.username
    order by a.username, n.reason
    on conflict (username, reason) do update set detail = excluded.detail, count = r.count + excluded.count,
      last_at = greatest(r.last_at, excluded.last_at)`.execute(system);
}

/** Refusals to an account since a time, the newest first. Rows: as many as there are reasons, by primary key. */
export async function mqttRefusals(db: Db, username: string, since: number): Promise<MqttRefusal[]> {
  const { rows } = await sql<MqttRefusal>`
    select reason, detail, count::float8 as count, last_at::float8 as last_at from mqtt_refusal
    where username = ${username} and last_at >= ${since} order by last_at desc, reason`.execute(db);
  return rows;
}
