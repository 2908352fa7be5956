import { sql } from "kysely";
import type { Db } from "#core";

/** Quarantined messages kept per company; older ones are deleted first. */
const mostKept = 1000;

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
 * Puts unusable messages into quarantine; they are acknowledged nevertheless, or the sender would repeat them
 * forever. The newest of each company are kept, independent of other companies. Index: the primary key.
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
        order by received_at desc, id desc offset ${sql.lit(mostKept - 1)} limit 1
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
  readonly first_at: number;
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
      count(*)::int as count, min(aside.received_at) as first_at,
      max(aside.received_at) as last_at
    from uplink_aside aside join company on company.id = aside.company_id
    where aside.network_id is not null and ${companyId === undefined ? sql`true` : sql`aside.company_id = ${companyId}`}
      and not exists (select from device d where lower(d."deviceID") = aside.network_id
        and d.company_id = aside.company_id and d.deleted_at is null)
    group by aside.company_id, company.name, aside.network_id
    order by last_at desc, aside.network_id limit ${limit}`.execute(db);
  return rows;
}

/** A sender within its company: the same number in another company is another sender. */
export interface KeptSender {
  readonly companyId: number;
  readonly networkId: string;
}

/** A message of the quarantine. */
export interface KeptMessage {
  readonly id: number;
  readonly receivedAt: number;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly reason: string;
}

/** Messages of a sender, oldest first. Rows: 1,000 at most, index uplink_aside_named. */
export async function keptMessages(db: Db, { companyId, networkId }: KeptSender): Promise<KeptMessage[]> {
  const { rows } = await sql<KeptMessage>`
    select id::float8, received_at as "receivedAt", topic, payload, reason from uplink_aside
    where company_id = ${companyId} and network_id = ${indexed(networkId)}
    order by received_at, id limit ${sql.lit(mostKept)}`.execute(db);
  return rows;
}

/** Deletes messages that were taken over. Rows: those given, by primary key. */
export async function dropMessages(
  db: Db,
  { companyId }: KeptSender,
  messages: readonly Pick<KeptMessage, "id" | "receivedAt">[],
): Promise<void> {
  await sql`
    delete from uplink_aside kept
    using unnest(${messages.map(({ receivedAt }) => receivedAt)}::bigint[], ${messages.map(({ id }) => id)}::bigint[])
      as taken (received_at, id)
    where kept.company_id = ${companyId} and kept.received_at = taken.received_at and kept.id = taken.id`.execute(
    db,
  );
}
