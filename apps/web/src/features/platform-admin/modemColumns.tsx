import type { AdminDeviceRow } from "@metrum/contract";
import type { TFunction } from "i18next";
import { formatClock, formatDate } from "#lib/format";
import { Button } from "#ui/button";
import type { GridColumn } from "#ui/grid";
import { Icon } from "#ui/icon";
import { barsOf } from "./modems.ts";

interface Context {
  readonly t: TFunction<"admin">;
  readonly zone: string;
  readonly number: (value: number) => string;
  readonly onPoll: (row: AdminDeviceRow) => void;
}

const dash = "—";
const plain = (value: string | null) => value ?? dash;

/** Ten columns, as the specification names them. */
export function modemColumns({ t, zone, number, onPoll }: Context): readonly GridColumn<AdminDeviceRow>[] {
  const text = (
    id: "ip_address" | "modem_type" | "end_device_type" | "end_device_version",
    width: number,
  ) => ({
    id,
    title: t(`column.${id}`),
    width,
    value: (row: AdminDeviceRow) => row[id] ?? "",
    cell: (row: AdminDeviceRow) => plain(row[id]),
  });
  return [
    {
      id: "device_id",
      title: t("column.device_id"),
      width: 165,
      sortField: "device_id",
      isFixed: true,
      isSticky: true,
      value: (row) => row.device_id,
      cell: (row) => <b>{row.device_id}</b>,
    },
    {
      id: "broker_port",
      title: t("column.broker_port"),
      width: 125,
      value: (row) => row.broker_port,
      cell: (row) => String(row.broker_port),
    },
    text("ip_address", 125),
    {
      id: "last_date",
      title: t("column.last_date"),
      width: 170,
      sortField: "last_date",
      value: (row) => row.last_date,
      cell: (row) => (
        <>
          {formatClock(row.last_date, zone)} <small>{formatDate(row.last_date, zone)}</small>
        </>
      ),
    },
    {
      id: "connect_status",
      title: t("column.connect_status"),
      width: 115,
      value: (row) => t(row.connect_status ? "online" : "offline"),
      cell: (row) => <Connection isOnline={row.connect_status} t={t} />,
    },
    text("modem_type", 168),
    text("end_device_type", 212),
    text("end_device_version", 85),
    {
      id: "rssi",
      title: t("column.rssi"),
      width: 95,
      align: "right",
      value: (row) => row.rssi ?? "",
      cell: (row) => (row.rssi === null ? dash : <Signal rssi={row.rssi} text={number(row.rssi)} />),
    },
    {
      id: "poll",
      title: t("column.poll"),
      width: 120,
      align: "right",
      cell: (row) => <PollButton row={row} t={t} onPoll={onPoll} />,
    },
  ];
}

/** A check or a cross in a filled disc: the shape tells the state, the colour repeats it. */
export function Connection({ isOnline, t }: { readonly isOnline: boolean; readonly t: TFunction<"admin"> }) {
  return (
    <span className="connection" data-online={isOnline}>
      <span className="connection-disc" aria-hidden="true">
        <Icon name={isOnline ? "check" : "close"} size={10} />
      </span>
      {t(isOnline ? "online" : "offline")}
    </span>
  );
}

export function PollButton(props: {
  readonly row: AdminDeviceRow;
  readonly t: TFunction<"admin">;
  readonly onPoll: (row: AdminDeviceRow) => void;
}) {
  const { row, t, onPoll } = props;
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
