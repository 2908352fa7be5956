import { sql } from "kysely";
import { companyDevices, type Db } from "#core";

/** A gateway with a listener on its line. */
export interface ListeningGateway {
  readonly gatewayId: number;
  readonly gatewayModelId: number;
  readonly companyId: number;
  /** Its identifier, for the log and the quarantine. */
  readonly number: string;
  readonly host: string | null;
  readonly port: number | null;
  readonly serial: unknown;
  readonly isEntered: boolean;
  readonly listens: unknown;
}

/**
 * Gateways with listeners, of enabled companies. Rows: those of the installation, index gateway_listening.
 */
export async function listeningGateways(db: Db): Promise<ListeningGateway[]> {
  const { rows } = await sql<ListeningGateway>`
    select g.id as "gatewayId", g.model_id as "gatewayModelId", g.company_id as "companyId", g.device_id as number,
      g.host, g.port, g.serial, g.is_line_entered as "isEntered", g.listens
    from gateway g join company c on c.id = g.company_id
    where g.listens is not null and g.is_active and not g.is_archived and g.deleted_at is null
      and c.is_active
    order by g.id`.execute(db);
  return rows;
}

/** A device that may have sent a telegram. */
export interface TelegramSender {
  readonly id: number;
  readonly number: string;
  readonly modelId: number;
  readonly intervalSec: number;
}

const columns = sql`d.id, d."deviceID" as number, d.model_id as "modelId", d.report_period_update as "intervalSec"`;

/** Limit of devices of one company that share an identifier. */
const mostNamed = 20;

/**
 * Devices of a company with one of these identifiers, in their order. Rows: a few, index
 * device_by_network_id.
 */
export async function devicesNamed(
  db: Db,
  companyId: number,
  names: readonly string[],
): Promise<TelegramSender[]> {
  const { rows } = await sql<TelegramSender>`
    select ${columns} from device d
    where lower(d."deviceID") = any(${[...names]}::text[]) and ${companyDevices(companyId, { as: "d" })}
    order by array_position(${[...names]}::text[], lower(d."deviceID")), d.id limit ${mostNamed}`.execute(db);
  return rows;
}

/**
 * The first two devices behind a gateway: with more than one the sender is ambiguous. Index
 * device_by_gateway.
 */
export async function devicesBehind(db: Db, companyId: number, gatewayId: number): Promise<TelegramSender[]> {
  const { rows } = await sql<TelegramSender>`
    select ${columns} from device d
    where d.gateway_id = ${gatewayId} and ${companyDevices(companyId, { as: "d", archive: "excluded" })}
    order by d.id limit 2`.execute(db);
  return rows;
}
