import { adminBroker, type AdminDeviceRow } from "@metrum/contract/headend";
import type { TFunction } from "i18next";
import { formatClock, formatDate } from "#lib/format";
import { Button } from "#ui/button";
import { Icon } from "#ui/icon";
import { choice, columnsOf, defineList, search, segments, type Words } from "#ui/list";
import { barsOf, chosen, pageOf, statuses } from "./modems.ts";

interface Own {
  /** Ports by their titles. */
  readonly ports: Readonly<Record<string, number>>;
  readonly onPoll: (row: AdminDeviceRow) => void;
}

/** A check or a cross in a filled disc: the shape shows the state, the colour repeats it. */
export function Connection({ isOnline, t }: { readonly isOnline: boolean; readonly t: TFunction }) {
  return (
    <span className="connection" data-online={isOnline}>
      <span className="connection-disc" aria-hidden="true">
        <Icon name={isOnline ? "check" : "close"} size={10} />
      </span>
      {t(isOnline ? "online" : "offline")}
    </span>
  );
}

function PollButton({ row, context }: { readonly row: AdminDeviceRow; readonly context: Words & Own }) {
  const { t, onPoll } = context;
  return (
    <Button
      size="small"
      icon="refresh"
      disabled={!row.connect_status}
      aria-label={t("poll.of", { id: row.device_id })}
      onClick={() => onPoll(row)}
    >
      {t("poll.open")}
    </Button>
  );
}

function Signal({ rssi, text }: { readonly rssi: number; readonly text: string }) {
  const bars = barsOf(rssi);
  return (
    <span className="signal">
      {text}
      <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
        {[1, 2, 3, 4].map((each) => (
          <rect
            key={each}
            className={each <= bars ? "" : "is-empty"}
            x={(each - 1) * 3.6}
            y={12 - each * 3}
            width="2.6"
            height={each * 3}
          />
        ))}
      </svg>
    </span>
  );
}

const { cell, text, actions } = columnsOf<AdminDeviceRow, Own>();

/** Every modem of the platform in ten columns, named as in the specification. */
export const modemList = defineList({
  call: adminBroker.connectedGateways,
  texts: ["admin"],
  label: "tab.modems",
  empty: "empty",
  sort: { field: "last_date", desc: true },
  size: 100,
  sizes: [10, 25, 100, 250, 500, 1000],
  asks: { freshMs: 0, everyMs: 15_000 },
  input: () => ({ body: {} }),
  // The whole list is loaded, so searching and sorting need no requests.
  answer: (all, state) => {
    const found = chosen(all, state);
    return { rows: pageOf(found, state), total: found.length };
  },
  rowKey: ({ broker_port, device_id }: AdminDeviceRow) => `${String(broker_port)}/${device_id}`,
  filters: [
    search("search"),
    choice<Own>("port", {
      label: "port",
      any: "allPorts",
      options: ({ ports }) => Object.entries(ports).map(([title, id]) => ({ value: String(id), title })),
    }),
    segments("status", {
      label: "status",
      usual: "all",
      options: ({ t }) => statuses.map((value) => ({ value, title: t(value) })),
    }),
  ],
  columns: [
    text("device_id", 165, (row) => row.device_id, { sort: "device_id", isName: true }),
    text("broker_port", 125, (row) => String(row.broker_port)),
    text("ip_address", 125, (row) => row.ip_address),
    cell(
      "last_date",
      170,
      {
        value: (row) => row.last_date,
        cell: (row, { zone }) => (
          <>
            {formatClock(row.last_date, zone)} <small>{formatDate(row.last_date, zone)}</small>
          </>
        ),
      },
      { sort: "last_date" },
    ),
    cell("connect_status", 115, {
      value: (row, { t }) => t(row.connect_status ? "online" : "offline"),
      cell: (row, { t }) => <Connection isOnline={row.connect_status} t={t} />,
    }),
    text("modem_type", 168, (row) => row.modem_type),
    text("end_device_type", 212, (row) => row.end_device_type),
    text("end_device_version", 85, (row) => row.end_device_version),
    cell(
      "rssi",
      95,
      {
        value: (row) => row.rssi ?? "",
        cell: ({ rssi }, { number }) => (rssi === null ? "—" : <Signal rssi={rssi} text={number(rssi, 0)} />),
      },
      { align: "right" },
    ),
    actions("poll", 120, (row, context) => <PollButton row={row} context={context} />),
  ],
  phone: (row, context) => (
    <span className="platform-phone">
      <span>
        <b>{row.device_id}</b>
        <span className="platform-phone-facts">
          <Connection isOnline={row.connect_status} t={context.t} />
          <small>{`${String(row.broker_port)} · ${row.ip_address}`}</small>
        </span>
      </span>
      <PollButton row={row} context={context} />
    </span>
  ),
});
