import { modelById } from "@metrum/catalogue";
import { sql } from "kysely";
import type { Db } from "#core";
import { askedDevicesById, type AskedDevice } from "./askedStore.ts";

interface GatewayRow extends Omit<AskedDevice, "sealed"> {
  readonly controlPort: number | null;
  /** Another company has a gateway at the host, and this one is there by what its own users have entered. */
  readonly isOfOthers: boolean;
}

/**
 * Gateways as devices that are asked: where each is controlled, with its zone. A host of another company is not
 * used if host or port were entered: the gateway would control what is not its own.
 */
async function askedGateways(db: Db, ids: readonly number[]): Promise<AskedDevice[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<GatewayRow>`
    select g.id, g.company_id as "companyId", g.model_id as "modelId", g.device_id as "deviceID", '' as "insideAddr",
      1 as "impulseWeight", 0 as "startingValue", '{}'::jsonb as properties, g.report_period_update as "intervalSec",
      0 as failures, g.is_active as "isOn", false as "isPolled",
      (g.is_archived or g.deleted_at is not null) as "isPutAway", g.id as "gatewayId", g.model_id as "gatewayModelId",
      coalesce(g.timezone, c.timezone) as zone, g.host, g.port, g.serial, g.is_line_entered as "isEntered", g.dlms_wrapper as "isWrapped",
      g.control_port as "controlPort", (g.is_line_entered or g.control_port is not null) and exists (
        select from gateway o where lower(o.host) = lower(g.host) and o.company_id <> g.company_id
          and (o.id < g.id or not g.is_line_entered)) as "isOfOthers"
    from gateway g join company c on c.id = g.company_id where g.id = any(${[...ids]}::int[])`.execute(db);
  return rows.map(targetOf);
}

/** A port that a user has entered makes the address entered, whoever has set the host: it may be any port there. */
function targetOf({ controlPort, isOfOthers, ...gateway }: GatewayRow): AskedDevice {
  const model = modelById(gateway.modelId);
  const port = model?.kind === "gateway" ? model.control?.port : undefined;
  if (port === undefined) return { ...gateway, sealed: {} };
  return {
    ...gateway,
    sealed: {},
    gatewayId: null,
    gatewayModelId: null,
    serial: null,
    host: isOfOthers ? null : gateway.host,
    port: controlPort ?? port,
    isEntered: gateway.isEntered || (controlPort !== null && controlPort !== port),
  };
}

/** Devices and gateways by their ids, which share one number space; in any order. By primary keys. */
export async function askedTargets(db: Db, ids: readonly number[]): Promise<readonly AskedDevice[]> {
  const devices = await askedDevicesById(db, ids);
  const found = new Set<number>(devices.map(({ id }) => id));
  return [
    ...devices,
    ...(await askedGateways(
      db,
      ids.filter((id) => !found.has(id)),
    )),
  ];
}

/** One of them. */
export const askedTarget = async (db: Db, id: number): Promise<AskedDevice | undefined> =>
  (await askedTargets(db, [id]))[0];
