import { modelById } from "@metrum/catalogue";
import type { Gateway, GatewayState } from "@metrum/contract/metering";
import { offsetHours, type Ctx } from "#core";
import { contactsOf, type GatewayRow, type ModemContact } from "./listStore.ts";
import { signsIn } from "./secrets.ts";

/** Gateways as sent to clients. */
export async function shownGateways(ctx: Ctx, rows: readonly GatewayRow[]): Promise<Gateway[]> {
  // The role of the API cannot read connections, which belong to no company.
  const contacts = await contactsOf(
    ctx.database.system,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => shown(row, contacts.get(row.id), ctx.clock.now()));
}

function shown(row: GatewayRow, contact: ModemContact | undefined, now: number): Gateway {
  const { timezone, company_timezone, bridge_port, base_station_id, base_station_name } = row;
  const zone = timezone ?? company_timezone;
  const { id, name, device_id, model_id, interface_id, desc, phone_number } = row;
  const { report_period_update, warning_report_period, poll_pause, is_active, is_deleted, is_archived } = row;
  const { devices_count, silent_count, created_at, control_port, dlms_wrapper } = row;
  return {
    ...{
      id,
      name,
      device_id,
      model_id,
      interface_id,
      desc,
      phone_number,
      base_station_id,
      created_at,
      control_port,
    },
    ...{
      report_period_update,
      warning_report_period,
      poll_pause,
      dlms_wrapper,
      is_active,
      is_deleted,
      is_archived,
      devices_count,
      silent_count,
    },
    model_title: modelById(model_id)?.title ?? String(model_id),
    deviceTimezone: offsetHours(zone, now),
    timezone_name: zone,
    base_station: base_station_id === null ? null : { id: base_station_id, name: base_station_name ?? "" },
    ...(signsIn(interface_id) ? { login: row.login, has_password: row.has_password } : {}),
    line: lineOf(row),
    invisible: bridge_port === null,
    port: bridge_port,
    ...contactOf(row, contact, now),
  };
}

/** A serial port goes before an address. */
function lineOf({ host, port, serial_path }: GatewayRow): string | null {
  return serial_path ?? (host === null || port === null ? null : `${host}:${String(port)}`);
}

function contactOf(row: GatewayRow, contact: ModemContact | undefined, now: number) {
  const { last_session_at, last_data_at } = row;
  const times = [last_session_at, last_data_at, contact?.at ?? null].filter((at) => at !== null);
  const last_contact_at = times.length === 0 ? null : Math.max(...times);
  const model = modelById(row.model_id);
  const dialsIn = model?.kind === "gateway" && model.connection === "dial_in";
  const is_connected = dialsIn ? (contact?.isConnected ?? false) : null;
  return {
    state: stateOf(row, { last_contact_at, isConnected: is_connected === true, now }),
    is_connected,
    signal: contact?.rssi ?? null,
    last_contact_at,
  };
}

function stateOf(
  { is_active, is_archived, warning_report_period }: GatewayRow,
  given: { readonly last_contact_at: number | null; readonly isConnected: boolean; readonly now: number },
): GatewayState {
  if (!is_active || is_archived) return "off";
  if (given.isConnected) return "online";
  if (given.last_contact_at === null) return "never";
  return given.last_contact_at + warning_report_period > given.now ? "online" : "silent";
}
