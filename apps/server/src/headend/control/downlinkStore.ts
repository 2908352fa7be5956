import { exchangeKinds } from "@metrum/contract";
import { fromHex } from "@metrum/protocols";
import { sql } from "kysely";
import type { Db } from "#core";
import { unpackSteps } from "#headend/exchanges";
import type { OrderState } from "#headend/uplinks";
import { openColumns, type OpenCommand } from "./commandStore.ts";

/** A command that was ordered as a downlink; without a state the order was deleted long ago. */
export interface OrderedCommand extends OpenCommand {
  readonly orderState: OrderState | null;
  readonly orderMessage: string | null;
  /** Uplinks received since may prove it, in milliseconds. */
  readonly sinceMs: number;
  /** Seconds between the reports of the device. */
  readonly intervalSec: number;
}

/** Ordered commands that have not ended, locked. Index device_command_ordered. */
export async function orderedCommands(db: Db, limit: number): Promise<OrderedCommand[]> {
  const { rows } = await sql<OrderedCommand>`
    select ${openColumns}, o.state as "orderState", o.message as "orderMessage",
      greatest(c.order_ms, coalesce(o.ended_at, 0) * 1000)::float8 as "sinceMs", d.report_period_update as "intervalSec"
    from device_command c join device d on d.id = c.device_id left join downlink_order o on o.id = c.order_id
    where c.state = 'sending' and c.order_id is not null
    order by c.id limit ${limit} for update of c skip locked`.execute(db);
  return rows;
}

/** The payload of an uplink. */
export interface ReceivedPayload {
  readonly payload: Uint8Array;
  readonly fport: number;
}

const mostUplinks = 200;

/** Payloads received from a device since a moment, in order. Rows: by the primary key of poll_log. */
export async function payloadsSince(db: Db, deviceId: number, sinceMs: number): Promise<ReceivedPayload[]> {
  const { rows } = await sql<{ steps: Buffer }>`
    select steps from poll_log
    where device_id = ${deviceId} and started_ms >= ${sinceMs}::bigint and kind = ${exchangeKinds.uplink.id}
    order by started_ms limit ${mostUplinks}`.execute(db);
  return rows.flatMap(({ steps }) =>
    unpackSteps(steps).flatMap(({ received, fport }) =>
      fport === undefined ? [] : [{ payload: fromHex(received), fport }],
    ),
  );
}
