import type { AdminDeviceRow } from "@metrum/contract/headend";
import type { GridState } from "#ui/grid";

export const statuses = ["all", "online", "offline"] as const;
type Status = (typeof statuses)[number];

function statusOf({ filters }: GridState): Status {
  const [wanted] = filters["status"] ?? [];
  return statuses.find((each) => each === wanted) ?? "all";
}

/** Rows that pass search and filters, sorted; equal ones by name. */
export function chosen(rows: readonly AdminDeviceRow[], state: GridState): readonly AdminDeviceRow[] {
  const text = state.q.trim().toLowerCase();
  const ports = new Set(state.filters["port"] ?? []);
  const status = statusOf(state);
  const left = rows.filter(
    ({ device_id, broker_port, connect_status }) =>
      device_id.toLowerCase().includes(text) &&
      (ports.size === 0 || ports.has(String(broker_port))) &&
      (status === "all" || connect_status === (status === "online")),
  );
  const { field = "last_date", desc = true } = state.sort ?? {};
  const sign = desc ? -1 : 1;
  const byName = (a: AdminDeviceRow, b: AdminDeviceRow) =>
    a.device_id < b.device_id ? -1 : a.device_id > b.device_id ? 1 : a.broker_port - b.broker_port;
  return left.sort((a, b) =>
    field === "device_id" ? sign * byName(a, b) : sign * (a.last_date - b.last_date) || byName(a, b),
  );
}

/** The page of the filtered rows; one beyond the end is the last. */
export function pageOf<Row>(rows: readonly Row[], { page, size }: GridState): readonly Row[] {
  const last = Math.max(1, Math.ceil(rows.length / size));
  const from = (Math.min(page, last) - 1) * size;
  return rows.slice(from, from + size);
}

/** A poll of one modem is requested with the data of its row. */
export const pollInputOf = ({ broker_port, device_id }: AdminDeviceRow) => ({
  body: { port: broker_port, imei: device_id },
});

/** Bars of the signal, 0 to 4, as on phones. */
export function barsOf(rssi: number): number {
  return [-100, -90, -75, -60].filter((least) => rssi >= least).length;
}
