import { exchangeKinds } from "@metrum/contract/headend";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "#core";
import { unpackSteps } from "#headend/exchanges";

/**
 * How long after an uplink a device of class A can still be reached: its receive windows open one to six seconds after
 * it (LoRaWAN 1.0.3, 3.3). A later downlink is kept by the network server until the next uplink, perhaps for a day.
 */
export const listensSec = 3;
/** An uplink that the network has heard earlier than this before it arrived here was held up on its way. */
const heldUpSec = 10;

/** The device that a command is for, and when it was requested. */
interface Requested {
  readonly deviceId: number;
  readonly createdAt: number;
}

/** Condition: an uplink of the device of a command has just arrived, after the command was requested. */
export const justHeard = (command: string, nowMs: number): RawBuilder<boolean> => sql<boolean>`
  exists (select from poll_log heard
    where heard.device_id = ${sql.ref(`${command}.device_id`)} and heard.kind = ${exchangeKinds.uplink.id}
      and heard.started_ms >= greatest(${sql.ref(`${command}.created_at`)} * 1000, ${nowMs - listensSec * 1000}::bigint))`;

/** Whether the device of a command listens now: an uplink has just arrived, and was not held up on its way. */
export async function listensNow(
  db: Db,
  { deviceId, createdAt }: Requested,
  nowMs: number,
): Promise<boolean> {
  const since = Math.max(createdAt, nowMs / 1000 - listensSec) * 1000;
  const { rows } = await sql<{ steps: Buffer; startedMs: number }>`
    select steps, started_ms::float8 as "startedMs" from poll_log
    where device_id = ${deviceId} and started_ms >= ${Math.ceil(since)}::bigint and kind = ${exchangeKinds.uplink.id}
    order by started_ms desc limit 1`.execute(db);
  const [last] = rows;
  if (!last) return false;
  const [heard] = unpackSteps(last.steps);
  return heard?.heardAt === undefined || last.startedMs / 1000 - heard.heardAt <= heldUpSec;
}
