import { exchangeKinds } from "@metrum/contract/headend";
import { fromHex } from "@metrum/protocols/core";
import type { DownlinkOutcome } from "@metrum/protocols/lorawan";
import { sql } from "kysely";
import type { Db } from "#core";
import { unpackSteps } from "#headend/exchanges";
import type { OrderState } from "#headend/uplinks";
import { openColumns, type OpenCommand } from "../openStore.ts";

/** A command that was ordered as a downlink; without a state the order was deleted long ago. */
export interface OrderedCommand extends OpenCommand {
  readonly orderState: Exclude<OrderState, "waiting" | "sending"> | null;
  readonly orderMessage: string | null;
  /** What the network server has reported of it since; null: nothing. */
  readonly networkReport: DownlinkOutcome | null;
  /** Uplinks received since, in milliseconds, may prove it and were not looked at. */
  readonly unseenMs: number;
  /** The device has had the time to prove it: two of its reports, between an hour and two days. */
  readonly isLate: boolean;
}

/** An uplink may be logged this long after its arrival. */
const overlapMs = 60_000;

const handedMs = sql`greatest(c.order_ms, coalesce(o.ended_at, 0) * 1000)`;
const unseenMs = sql`greatest(${handedMs}, coalesce(c.judged_ms, 0) - ${overlapMs}::bigint)`;
const proofMs = sql`least(greatest(2 * d.report_period_update, 3600), 172800) * 1000`;

/**
 * Ordered commands after one of them, by id, of which there is something new: an order that has ended, uplinks since the
 * last look, or the end of the time for a proof. Locked. Index device_command_ordered.
 */
export async function orderedCommands(
  db: Db,
  { after, limit, nowMs }: { readonly after: number; readonly limit: number; readonly nowMs: number },
): Promise<OrderedCommand[]> {
  const isLate = sql`${nowMs}::bigint > ${handedMs} + ${proofMs}`;
  const { rows } = await sql<OrderedCommand>`
    select ${openColumns}, o.state as "orderState", o.message as "orderMessage", o.network_report as "networkReport", ${unseenMs}::float8 as "unseenMs",
      ${isLate} as "isLate"
    from device_command c join device d on d.id = c.device_id left join downlink_order o on o.id = c.order_id
    where c.state = 'sending' and c.order_id is not null and c.id > ${after}::bigint
      and (o.id is null or o.state not in ('waiting', 'sending'))
      and (o.state is distinct from 'sent' or c.judged_ms is null or ${isLate} or exists (
        select from poll_log l where l.device_id = c.device_id and l.kind = ${exchangeKinds.uplink.id}
          and l.started_ms >= ${unseenMs}))
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
