import { exchangeKinds } from "@metrum/contract/headend";
import { sql } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";
import { unpackSteps, type LoggedStep } from "#headend/exchanges";

/** Filter of payloads; the device came through `resolve`. */
export interface PayloadFilter {
  readonly device_id?: number | undefined;
  readonly model_id?: number | undefined;
  readonly start_date: number;
  readonly stop_date: number;
  /** "device:milliseconds" of the last payload of the previous page. */
  readonly after?: string | undefined;
}

/** Payloads of a device with the steps of their exchange. */
export interface KeptPayload {
  readonly device_id: number;
  readonly started_ms: number;
  readonly received_at: number | null;
  readonly steps: readonly LoggedStep[];
}

/**
 * Payloads of the exchange log ordered by device and time. Rows: `limit` at most, by the primary key
 * (device_id, started_ms) of poll_log. The log has no company column: it comes from the device.
 */
export async function keptPayloads(
  { db, scope }: { readonly db: Db; readonly scope: Scope },
  asked: PayloadFilter,
  limit: number,
): Promise<KeptPayload[]> {
  const [device = "0", started = "0"] = (asked.after ?? "0:0").split(":");
  const { rows } = await sql<Omit<KeptPayload, "steps"> & { readonly steps: Buffer }>`
    select l.device_id, l.started_ms, l.received_at, l.steps
    from poll_log l join device d on d.id = l.device_id
    where ${visibleDevices(scope, { as: "d" })}
      and (${asked.device_id ?? null}::int is null or d.id = ${asked.device_id ?? null}::int)
      and (${asked.model_id ?? null}::int is null or d.model_id = ${asked.model_id ?? null}::int)
      and l.kind = ${exchangeKinds.uplink.id}
      and l.started_ms >= ${asked.start_date * 1000} and l.started_ms < ${(asked.stop_date + 1) * 1000}
      and (l.device_id, l.started_ms) > (${Number(device)}::int, ${Number(started)}::bigint)
    order by l.device_id, l.started_ms limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, steps: unpackSteps(row.steps) }));
}
