import { modelById } from "@metrum/catalogue";
import type { AdminDeviceRow } from "@metrum/contract/headend";
import type { Ctx } from "#core";
import { modemConnections, type ModemConnection } from "#headend/channels";
import { behindGateways, type BehindGateway } from "#metering/gateways";

/**
 * Every modem of these ports, or of all, with the known devices behind it. Two queries, whatever their
 * number.
 */
export async function connectedModems(
  { database }: Ctx,
  ports: readonly number[] | undefined,
): Promise<AdminDeviceRow[]> {
  const rows = await modemConnections(database.system, ports);
  const behind = await behindGateways(
    database.system,
    rows.flatMap(({ gateway_id }) => gateway_id ?? []),
  );
  return rows.map((row) => shown(row, row.gateway_id === null ? undefined : behind.get(row.gateway_id)));
}

function shown(row: ModemConnection, behind: BehindGateway | undefined): AdminDeviceRow {
  const gateway = behind && modelById(behind.gatewayModelId);
  return {
    device_id: row.identity,
    broker_port: row.port,
    ip_address: row.ip_address,
    last_date: row.last_at,
    connect_status: row.is_online,
    modem_type: row.modem_type ?? (gateway ? `${gateway.brand} ${gateway.title}` : null),
    end_device_type: behind?.deviceTitle ?? row.end_device_type,
    end_device_version: row.end_device_version,
    rssi: row.rssi,
    is_known: row.gateway_id !== null,
  };
}
