import type { BaseStation, Gateway } from "@metrum/contract";

/** A modem with silent devices behind it. */
export const aGateway = (more: Partial<Gateway> = {}): Gateway => ({
  id: 7,
  name: "Basement",
  device_id: "356700000000001",
  model_id: 601,
  model_title: "ATM21",
  interface_id: 10,
  deviceTimezone: 8,
  timezone_name: "Asia/Ulaanbaatar",
  desc: "Under the stairs",
  report_period_update: 3600,
  warning_report_period: 86_400,
  phone_number: "",
  base_station_id: null,
  base_station: null,
  line: null,
  invisible: true,
  port: null,
  is_active: true,
  is_deleted: false,
  is_archived: false,
  devices_count: 12,
  silent_count: 3,
  state: "silent",
  is_connected: false,
  signal: -71,
  last_contact_at: 1_793_491_200,
  created_at: 1_793_491_200,
  control_port: null,
  ...more,
});

export const aStation = (more: Partial<BaseStation> = {}): BaseStation => ({
  id: 9,
  name: "Roof",
  radius: 4000,
  desc: "North mast",
  device_id: "1c497bff",
  model_id: 701,
  model_title: "BS-1.2",
  is_active: true,
  is_deleted: false,
  is_archived: false,
  devices_count: 5,
  created_at: 1_793_491_200,
  ...more,
});

/** A model of gateways. */
export const gatewayModel = (id: number, title: string, interface_ids: number[], connection: string) => ({
  id,
  title,
  brand_id: 1,
  interface_ids,
  connection,
  options: { control: {} },
  tabs: {},
  has_raw_payload: false,
  is_always_controlled: false,
});
