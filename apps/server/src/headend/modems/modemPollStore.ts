import type { AdminPoll, PollResult } from "@metrum/contract/headend";
import { sql } from "kysely";
import { storableJson, type Db } from "#core";

/** Name of the line job that polls a modem for platform staff. */
export const modemPollKind = "modemPoll";
/** Channel that announces the end of a poll by platform staff; the payload is its id. */
export const modemPollChannel = "modem_poll_ended";

/** A modem by its port and identity. */
export interface ModemAsked {
  readonly port: number;
  readonly identity: string;
}

/** Outcome of a poll by platform staff. */
export interface ModemAnswer {
  readonly result: PollResult;
  readonly answer: AdminPoll;
}

/** Unfetched answers are deleted after this time. */
const keptSec = 600;

export async function addModemPoll(db: Db, { port, identity }: ModemAsked, now: number): Promise<number> {
  await sql`delete from modem_poll where asked_at < ${now - keptSec}`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into modem_poll (port, identity, asked_at) values (${port}, ${identity}, ${now}) returning id`.execute(
    db,
  );
  return rows[0]?.id ?? 0;
}

/** The modem of a poll that was not cancelled. */
export async function modemOfPoll(db: Db, id: number): Promise<ModemAsked | undefined> {
  const { rows } = await sql<ModemAsked>`
    select port, identity from modem_poll where id = ${id} and answer is null`.execute(db);
  return rows[0];
}

export async function endModemPoll(db: Db, id: number, answer: ModemAnswer): Promise<void> {
  await sql`update modem_poll set answer = ${storableJson(answer)}::jsonb where id = ${id}`.execute(db);
  await sql`select pg_notify(${modemPollChannel}, ${String(id)})`.execute(db);
}

/** The answer of a poll, undefined while there is none. */
export async function answerOfModemPoll(db: Db, id: number): Promise<ModemAnswer | undefined> {
  const { rows } = await sql<{ answer: ModemAnswer | null }>`
    select answer from modem_poll where id = ${id}`.execute(db);
  return rows[0]?.answer ?? undefined;
}

export async function dropModemPoll(db: Db, id: number): Promise<void> {
  await sql`delete from modem_poll where id = ${id}`.execute(db);
}

/**
 * The device behind a gateway registered first among those that are polled; undefined without one. Index
 * device_by_gateway.
 */
export async function firstDevices(
  db: Db,
  gatewayId: number,
  limit: number,
): Promise<{ id: number; modelId: number }[]> {
  const { rows } = await sql<{ id: number; modelId: number }>`
    select id, model_id as "modelId" from device
    where gateway_id = ${gatewayId} and deleted_at is null and not is_archived
    order by is_active desc, id limit ${limit}`.execute(db);
  return rows;
}
