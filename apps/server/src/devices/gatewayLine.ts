import { sql } from "kysely";
import type { Db } from "#core";

/** How the line of a gateway that we call is reached, and what is heard on it; null: it is not so. */
export interface GatewayLine {
  readonly host: string | null;
  readonly port: number | null;
  readonly serial: unknown;
  readonly listens: unknown;
}

/** The line of the gateway with this number; undefined when there is none. Index gateway_device_id_idx. */
export async function gatewayLine(db: Db, number: string): Promise<GatewayLine | undefined> {
  const { rows } = await sql<GatewayLine>`
    select host, port, serial, listens from gateway where device_id = ${number} and deleted_at is null`.execute(
    db,
  );
  return rows[0];
}

/** Writes the line of a gateway. */
export async function putGatewayLine(db: Db, number: string, line: GatewayLine): Promise<void> {
  const text = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  await sql`
    update gateway set host = ${line.host}, port = ${line.port}, serial = ${text(line.serial)}::jsonb,
      listens = ${text(line.listens)}::jsonb
    where device_id = ${number} and deleted_at is null`.execute(db);
}
