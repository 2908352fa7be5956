import { sql } from "kysely";
import { audit, storableJson, type Db } from "#core";

/** How the line of a gateway that we call is reached, and what is heard on it; null: it is not so. */
export interface GatewayLine {
  readonly host: string | null;
  readonly port: number | null;
  readonly serial: unknown;
  readonly listens: unknown;
}

/** A gateway with its line. */
export interface LinedGateway {
  readonly id: number;
  readonly companyId: number;
  readonly line: GatewayLine;
}

/**
 * The gateway with this number, locked until the transaction ends; undefined when there is none. Index gateway_device_id_idx.
 */
export async function gatewayLine(db: Db, number: string): Promise<LinedGateway | undefined> {
  const { rows } = await sql<GatewayLine & { readonly id: number; readonly companyId: number }>`
    select id, company_id as "companyId", host, port, serial, listens from gateway
    where device_id = ${number} and deleted_at is null for update`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { id, companyId, ...line } = row;
  return { id, companyId, line };
}

/** Writes the line of a gateway, and in the log of its company what it was and is: nobody is signed in at a terminal. */
export async function putGatewayLine(db: Db, gateway: LinedGateway, line: GatewayLine): Promise<void> {
  const text = (value: unknown): string | null => (value === null ? null : storableJson(value));
  await sql`
    update gateway set host = ${line.host}, port = ${line.port}, serial = ${text(line.serial)}::jsonb,
      listens = ${text(line.listens)}::jsonb
    where id = ${gateway.id}`.execute(db);
  await audit(db, {
    companyId: gateway.companyId,
    address: "",
    action: "gateway.line",
    subject: `gateway ${String(gateway.id)}`,
    before: gateway.line,
    after: line,
  });
}
