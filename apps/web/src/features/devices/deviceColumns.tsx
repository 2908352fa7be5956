import { fieldOf, isFieldName, resourceOfGroup, units, type Language } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { formatDate, formatDateTime, formatShort, formatTime } from "#lib/format";
import { modelHref } from "#models";
import type { GridColumn } from "#ui/grid";
import { ResourceIcon } from "#ui/icon";
import { Status } from "#ui/status";
import { stateKinds, type DeviceRow } from "./devices.ts";
import { interfaceTitle } from "./interfaceTitle.ts";

export interface ColumnContext {
  readonly t: TFunction<"devices">;
  readonly language: Language;
  readonly number: (value: number, decimals?: number) => string;
  readonly age: (seconds: number) => string;
  readonly zone: string;
  readonly now: number;
  readonly hrefOf: (row: DeviceRow) => string;
}

/** Unit of the last reading in the language of the interface; that of the server when the field is not known here. */
export function readingUnit(row: DeviceRow, language: Language): string {
  const reading = row.last_reading;
  if (!reading) return "";
  const resource = resourceOfGroup(row.device_group_id ?? 0).key;
  return isFieldName(reading.field) ? units[fieldOf(reading.field, resource).unit][language] : reading.unit;
}

/** Decimals of a last reading: energy and heat in two, volumes in three, as meters show them. */
export function readingDecimals(row: DeviceRow): number {
  const resource = resourceOfGroup(row.device_group_id ?? 0).key;
  return resource === "water" || resource === "gas" ? 3 : 2;
}

export function DeviceStateCell({ row, t }: { readonly row: DeviceRow; readonly t: TFunction<"devices"> }) {
  const state = row.state ?? "never";
  return <Status kind={stateKinds[state]}>{t(`state.${state}`)}</Status>;
}

/** Seven bars, one a day, oldest first: full, weaker when a part is missing, an outline when all is, a dot before anything was due. */
export function Completeness({
  shares,
  t,
}: {
  readonly shares: readonly (number | null)[];
  readonly t: TFunction<"devices">;
}) {
  const text = shares
    .map((share) => (share === null ? "–" : `${String(Math.floor(share * 100))}%`))
    .join(" ");
  return (
    <span className="completeness" role="img" aria-label={t("completeness", { days: text })} title={text}>
      {shares.map((share, at) => (
        <i
          key={at}
          data-share={share === null ? "due" : share <= 0 ? "none" : share < 0.95 ? "part" : "full"}
        />
      ))}
    </span>
  );
}

function LastData({ row, context }: { readonly row: DeviceRow; readonly context: ColumnContext }) {
  const at = row.last_data_at;
  if (at === null || at === undefined) return "—";
  const { zone, now } = context;
  const isToday = formatDate(at, zone) === formatDate(now, zone);
  const isOld = row.state === "silent";
  return (
    <span className="last-data">
      <span className="last-data-at">{isToday ? formatTime(at, zone) : formatShort(at, zone)}</span>
      <span className={isOld ? "last-data-age is-old" : "last-data-age"}>{context.age(now - at)}</span>
    </span>
  );
}

/** The columns of the list as data. */
export function deviceColumns(context: ColumnContext): readonly GridColumn<DeviceRow>[] {
  const { t, language, number, hrefOf } = context;
  return [
    {
      id: "status",
      title: t("column.status"),
      width: 132,
      value: (row) => t(`state.${row.state ?? "never"}`),
      cell: (row) => <DeviceStateCell row={row} t={t} />,
    },
    {
      id: "name",
      title: t("column.name"),
      width: 252,
      sortField: "name",
      isFixed: true,
      isSticky: true,
      value: (row) => row.name,
      cell: (row) => {
        const resource = resourceOfGroup(row.device_group_id ?? 0);
        return (
          <span className="device-name">
            <ResourceIcon resource={resource.key} label={resource.title[language]} />
            <a href={hrefOf(row)}>{row.name}</a>
            <span className="device-place">{row.place}</span>
          </span>
        );
      },
    },
    {
      id: "model",
      title: t("column.model"),
      width: 104,
      sortField: "model",
      value: (row) => row.model_title,
      cell: (row) =>
        row.model_id === undefined ? (
          "—"
        ) : (
          <a className="quiet" href={modelHref(row.model_id)}>
            {row.model_title ?? "—"}
          </a>
        ),
    },
    {
      id: "interface",
      title: t("column.interface"),
      width: 94,
      sortField: "interface",
      value: (row) => interfaceTitle(row.interface_id, language),
      cell: (row) => <span className="quiet">{interfaceTitle(row.interface_id, language)}</span>,
    },
    {
      id: "via",
      title: t("column.via"),
      width: 90,
      value: (row) => (row.gateway ?? row.base_station)?.name,
      cell: (row) => (row.gateway ?? row.base_station)?.name ?? "—",
    },
    {
      id: "reading",
      title: t("column.reading"),
      width: 142,
      align: "right",
      value: (row) => row.last_reading?.value,
      cell: (row) => {
        const reading = row.last_reading;
        const value = reading?.value;
        return (
          <span className="reading">
            <b>{value === null || value === undefined ? "—" : number(value, readingDecimals(row))}</b>
            <span className="unit">{readingUnit(row, language)}</span>
          </span>
        );
      },
    },
    {
      id: "last_data",
      title: t("column.last_data"),
      width: 166,
      align: "right",
      sortField: "last_data",
      value: (row) =>
        typeof row.last_data_at === "number" ? formatDateTime(row.last_data_at, context.zone) : null,
      cell: (row) => <LastData row={row} context={context} />,
    },
    {
      id: "completeness",
      title: t("column.completeness"),
      width: 88,
      value: (row) =>
        row.completeness?.map((share) => (share === null ? "–" : Math.floor(share * 100))).join(" "),
      cell: (row) => (row.completeness ? <Completeness shares={row.completeness} t={t} /> : "—"),
    },
    {
      id: "deviceID",
      title: t("column.deviceID"),
      width: 120,
      isOptional: true,
      value: (row) => row.deviceID,
      cell: (row) => row.deviceID ?? "—",
    },
    {
      id: "zone",
      title: t("column.zone"),
      width: 130,
      isOptional: true,
      value: (row) => row.timezone_name,
      cell: (row) => <span className="quiet">{row.timezone_name ?? "—"}</span>,
    },
  ];
}
