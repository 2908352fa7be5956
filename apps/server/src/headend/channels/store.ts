import { sql } from "kysely";
import type { Database, Db } from "#core";
import type { HeldLine } from "./lineHolds.ts";

/** A gateway that may dial in, found by what it calls itself. */
export interface KnownGateway {
  readonly id: number;
  readonly companyId: number;
}

/** The gateway with this IMEI; undefined when there is none, or when it or its company is switched off. */
export async function gatewayByName(database: Database, name: string): Promise<KnownGateway | undefined> {
  const { rows } = await sql<KnownGateway>`
    select gateway.id, gateway.company_id as "companyId"
    from gateway join company on company.id = gateway.company_id
    where gateway.device_id = ${name} and gateway.deleted_at is null and gateway.is_active and company.is_active
    limit 1`.execute(database.system);
  return rows[0];
}

/** Takes lines for this process, or raises their tokens; returns those that no other process holds. Rows: those given, by primary key. */
export async function claimLines(
  database: Database,
  lines: readonly string[],
  { processId, token }: { readonly processId: number; readonly token: number },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ line: string }>`
    insert into line_holder as held (line, process_id, token)
    select line, ${processId}::int, ${token}::bigint from unnest(${[...lines].sort()}::text[]) as wanted (line)
    on conflict (line) do update set token = greatest(held.token, excluded.token)
      where held.process_id = excluded.process_id
    returning line`.execute(database.system);
  return new Set(rows.map(({ line }) => line));
}

/** Takes what only one process may do, and keeps it until it is given back; false when another one has it. */
export async function claimLine(database: Database, line: string, processId: number): Promise<boolean> {
  return (await claimLines(database, [line], { processId, token: 0 })).has(line);
}

export async function releaseLine(database: Database, line: string, processId: number): Promise<void> {
  await sql`delete from line_holder where line = ${line} and process_id = ${processId}`.execute(
    database.system,
  );
}

/** Gives back lines of this process that were not claimed once more since. Rows: those given, by primary key. */
export async function releaseLines(
  database: Database,
  lines: readonly HeldLine[],
  processId: number,
): Promise<void> {
  await sql`
    delete from line_holder held
    using unnest(${lines.map(({ line }) => line)}::text[], ${lines.map(({ token }) => token)}::bigint[]) as given (line, token)
    where held.line = given.line and held.process_id = ${processId} and held.token <= given.token`.execute(
    database.system,
  );
}

/** Lines that the database says this process holds. Index line_holder_process_id_idx. */
export async function linesOf(database: Database, processId: number): Promise<HeldLine[]> {
  const { rows } = await sql<HeldLine>`
    select line, token::float8 as token from line_holder where process_id = ${processId}`.execute(
    database.system,
  );
  return rows;
}

/** Channel on which a process asks the holder of a line to give it up if it is dead. */
export const takeoverChannel = "line_takeover";

export async function askForLine(database: Database, line: string): Promise<void> {
  await sql`select pg_notify(${takeoverChannel}, ${line})`.execute(database.system);
}

export interface MqttAccount {
  readonly companyId: number;
  readonly username: string;
  readonly secretHash: Buffer;
}

/** The account of this name at the embedded broker; undefined when there is none or its company is switched off. Rows: one, by primary key. */
export async function mqttAccount(database: Database, username: string): Promise<MqttAccount | undefined> {
  const { rows } = await sql<MqttAccount>`
    select company_id as "companyId", username, secret_hash as "secretHash"
    from mqtt_account join company on company.id = company_id
    where username = ${username} and company.is_active`.execute(database.system);
  return rows[0];
}

/** Hashes of the passwords that hold now, by account; of companies that are switched off, none. Rows: some, by primary key. */
export async function mqttSecrets(
  database: Database,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await sql<Pick<MqttAccount, "username" | "secretHash">>`
    select username, secret_hash as "secretHash"
    from mqtt_account join company on company.id = company_id
    where username = any(${[...usernames]}::text[]) and company.is_active`.execute(database.system);
  return new Map(rows.map(({ username, secretHash }) => [username, secretHash]));
}

/** `userId` and `at` are null when the server itself gives the password. */
export async function putMqttAccount(
  db: Db,
  account: MqttAccount & {
    readonly userId: number | null;
    readonly at: number | null;
  },
): Promise<void> {
  await sql`
    insert into mqtt_account (company_id, username, secret_hash, issued_by, issued_at)
    values (${account.companyId}, ${account.username}, ${account.secretHash}, ${account.userId}, ${account.at})
    on conflict (username) do update set company_id = excluded.company_id, secret_hash = excluded.secret_hash,
      issued_by = excluded.issued_by, issued_at = excluded.issued_at
  `.execute(db);
}

export interface MqttIssue {
  /** Epoch seconds UTC; null: the server itself has given the password, or it is older than this column. */
  readonly at: number | null;
  /** Name of the user; null as well when it is not one of the company. */
  readonly by: string | null;
}

/** Who gave the password that holds, and when; undefined when there is none. Rows: one, by primary key. */
export async function mqttIssue(db: Db, username: string): Promise<MqttIssue | undefined> {
  const { rows } = await sql<MqttIssue>`
    select issued_at::float8 as at, u.name as by from mqtt_account left join users u on u.id = issued_by
    where mqtt_account.username = ${username}`.execute(db);
  return rows[0];
}

/** Channel on which brokers hear that the account of a company has another password. */
export const mqttAccountChannel = "mqtt_account";

/** Told when the transaction ends. */
export async function tellAccount(db: Db, companyId: number): Promise<void> {
  await sql`select pg_notify(${mqttAccountChannel}, ${String(companyId)})`.execute(db);
}

/** Messages of the quarantine that a company keeps at most; older ones make room. */
const keptAside = 1000;

export interface AsideMessage {
  readonly companyId: number;
  /** Who sent it, by its name in the network; absent when the message does not say. */
  readonly networkId?: string;
  readonly receivedAt: number;
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly reason: string;
}

/**
 * Puts messages that cannot be used into quarantine; they are acknowledged all the same, or the sender would repeat them for ever. Of
 * a company the newest are kept, whatever the others send. Index: the primary key.
 */
export async function putAside(db: Db, messages: readonly AsideMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await sql`
    insert into uplink_aside (company_id, received_at, topic, payload, reason, network_id)
    select * from unnest(${messages.map((each) => each.companyId)}::int[], ${messages.map((each) => each.receivedAt)}::bigint[],
      ${messages.map((each) => each.topic)}::text[], ${messages.map((each) => Buffer.from(each.payload))}::bytea[],
      ${messages.map((each) => each.reason)}::text[], ${messages.map((each) => indexed(each.networkId))}::text[])`.execute(
    db,
  );
  // What another process is taking away at this moment needs no waiting for.
  await sql`
    delete from uplink_aside where (company_id, received_at, id) in (
      select old.company_id, old.received_at, old.id
      from unnest(${[...new Set(messages.map((each) => each.companyId))]}::int[]) as of_company(id)
      cross join lateral (
        select received_at, id from uplink_aside where company_id = of_company.id
        order by received_at desc, id desc offset ${sql.lit(keptAside - 1)} limit 1
      ) as oldest
      join uplink_aside old on old.company_id = of_company.id
        and (old.received_at, old.id) < (oldest.received_at, oldest.id)
      for update of old skip locked)`.execute(db);
}

/** Names beyond this are no names of devices, and an index takes no longer ones. */
const longestName = 255;

const indexed = (networkId: string | undefined): string | null =>
  networkId?.slice(0, longestName).toLowerCase() ?? null;

/** A device that sends and is registered nowhere in its company. */
export interface UnknownSender {
  readonly company_id: number;
  readonly company_name: string;
  readonly network_id: string;
  readonly topic: string;
  readonly count: number;
  readonly last_at: number;
}

/** Devices of the quarantine that are unknown still, of one company or of all, newest first. Index uplink_aside_named. */
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
