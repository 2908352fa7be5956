import { sql } from "kysely";
import type { Db } from "#core";

/** Quarantined messages kept per company; older ones are deleted first. */
const keptMessages = 1000;

export interface QuarantinedMessage {
  readonly companyId: number;
  /** Identity of the sender in its network; absent when the message has none. */
  readonly networkId?: string;
  readonly receivedAt: number;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly reason: string;
}

/**
 * Puts unusable messages into quarantine; they are acknowledged all the same, or the sender would repeat them
 * for ever. The newest of each company are kept, independent of other companies. Index: the primary key.
 */
export async function quarantineMessages(db: Db, messages: readonly QuarantinedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    insert into uplink_aside (company_id, received_at, topic, payload, reason, network_id)
    select * from unnest(${messages.map((each) => each.companyId)}::int[], ${messages.map((each) => each.receivedAt)}::bigint[],
      ${messages.map((each) => each.topic)}::text[], ${messages.map((each) => Buffer.from(each.payload))}::bytea[],
      ${messages.map((each) => each.reason)}::text[], ${messages.map((each) => indexed(each.networkId))}::text[])`.execute(
    db,
  );
  // Rows locked by another process are skipped: it is deleting them.
  await sql`
    delete from uplink_aside where (company_id, received_at, id) in (
      select old.company_id, old.received_at, old.id
      from unnest(${[...new Set(messages.map((each) => each.companyId))]}::int[]) as of_company(id)
      cross join lateral (
        select received_at, id from uplink_aside where company_id = of_company.id
        order by received_at desc, id desc offset ${sql.lit(keptMessages - 1)} limit 1
      ) as oldest
      join uplink_aside old on old.company_id = of_company.id
        and (old.received_at, old.id) < (oldest.received_at, oldest.id)
      for update of old skip locked)`.execute(db);
}

/** Longer values are not device names, and exceed the index limit. */
const longestName = 255;

const indexed = (networkId: string | undefined): string | null =>
  networkId?.slice(0, longestName).toLowerCase() ?? null;

/** A sending device that is not registered in its company. */
export interface UnknownSender {
  readonly company_id: number;
  readonly company_name: string;
  readonly network_id: string;
  readonly topic: string;
  readonly count: number;
  readonly last_at: number;
}

/**
 * Devices of the quarantine that are still unknown, of one company or of all, newest first. Index
 * uplink_aside_named.
 */
export async function unknownSenders(
  db: Db,
  companyId: number | undefined,
  limit: number,
): Promise<UnknownSender[]> {
  const { rows } = await sql<UnknownSender>`
    select aside.company_id, company.name as company_name, aside.network_id, max(aside.topic) as topic,
      count(*)::int as count, max(aside.received_at) as last_at
    from uplink_aside aside join company on company.id = aside.company_id
    where aside.network_id is not null and ${companyId === undefined ? sql`true` : sql`aside.company_id = ${companyId}`}
      and not exists (select from device d where lower(d."deviceID") = aside.network_id
        and d.company_id = aside.company_id and d.deleted_at is null)
    group by aside.company_id, company.name, aside.network_id
    order by last_at desc, aside.network_id limit ${limit}`.execute(db);
  return rows;
}
