import { columnOf } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { formatDate, formatTime, withSign } from "#lib/format";
import { useIsHovered, type Gap, type Hover } from "#ui/chart";
import type { GridColumn } from "#ui/grid";
import { Status, type StatusKind } from "#ui/status";
import type { DataColumn, DataTable } from "./dataTable.ts";
import { headingsOf, type Heading } from "./headings.ts";
import { lateBy, stateOfRow, withoutGapSums, type DataRow, type RowState } from "./rows.ts";

export interface DataContext {
  readonly t: TFunction<"deviceData">;
  readonly number: (value: number, decimals?: number) => string;
  readonly age: (seconds: number) => string;
  readonly zone: string;
  readonly table: DataTable;
  readonly columns: readonly DataColumn[];
  /** Length of the interval of a row; null for instantaneous readings. */
  readonly intervalSec: number | null;
  readonly gaps: readonly Gap[];
  readonly hover: Hover;
}

const stateKinds: Readonly<Record<RowState, StatusKind>> = {
  received: "ok",
  late: "ok",
  calculated: "ok",
  manual: "ok",
  imported: "ok",
  estimated: "off",
  corrected: "ok",
  suspect: "warn",
  rejected: "alarm",
};

/** The date dimmed, the time emphasised: within one day only the time differs. */
export function slotText(
  at: number,
  end: number | null,
  zone: string,
): readonly [date: string, clock: string] {
  const clock = end === null ? formatTime(at, zone) : `${formatTime(at, zone)} – ${formatTime(end, zone)}`;
  return [formatDate(at, zone), clock];
}

function Slot({ row, context }: { readonly row: DataRow; readonly context: DataContext }) {
  const isHovered = useIsHovered(context.hover, row.kind === "reading" ? row.index : -1);
  const { intervalSec, zone } = context;
  const end = row.kind === "gap" ? row.gap.to : intervalSec === null ? null : row.at + intervalSec;
  const [date, clock] = slotText(row.at, end, zone);
  return (
    <span className={isHovered ? "slot is-hovered" : "slot"}>
      <span>{date}</span>
      <b>{clock}</b>
    </span>
  );
}

export function rowStateText(context: DataContext, index: number): readonly [StatusKind, string] {
  const clockOff = context.table.clockOff[index] ?? Number.NaN;
  if (!Number.isNaN(clockOff))
    return [
      "warn",
      context.t("state.clockOff", { seconds: withSign(clockOff, context.number(clockOff, 0)) }),
    ];
  const state = stateOfRow(context.table, index);
  const late = state === "late" ? lateBy(context.table, index, context.intervalSec ?? 0) : undefined;
  const text =
    late === undefined ? context.t(`state.${state}`) : context.t("state.lateBy", { age: context.age(late) });
  return [stateKinds[state], text];
}

function RowStatus({ index, context }: { readonly index: number; readonly context: DataContext }) {
  const [kind, text] = rowStateText(context, index);
  const [reason, method] = [context.table.reason[index], context.table.method[index]];
  const isCalculated = context.table.source[index] === "calculated" || reason !== undefined;
  const why = isCalculated ? context.t("why", { reason: reason ?? text, method: method ?? "" }) : undefined;
  return (
    <span title={why}>
      <Status kind={kind}>{text}</Status>
      {why === undefined ? null : <span className="row-why" role="img" aria-label={why} />}
    </span>
  );
}

const groupedBy = (heading: Heading | undefined) =>
  heading?.shared === undefined ? {} : { heading: { own: heading.own, shared: heading.shared } };

/** Columns of the table as data: the sticky slot, every visible column of values, the status. */
export function tableColumns(context: DataContext): readonly GridColumn<DataRow>[] {
  const { t, number, zone, table } = context;
  const valueOf = (column: DataColumn, row: DataRow) =>
    row.kind === "reading" ? (column.values[row.index] ?? Number.NaN) : Number.NaN;
  const overGaps = new Map(
    context.columns
      .filter((column) => columnOf(column.name).part === "growth")
      .map((column) => [column.name, withoutGapSums(table.time, column.values, context.gaps).overGaps]),
  );
  const headings = headingsOf(context.columns);
  const widths = headings.map(({ shared }) => (shared === undefined ? 130 : 110));
  return [
    {
      id: "datetime",
      title: t(context.intervalSec === null ? "column.date" : "column.interval"),
      width: context.intervalSec === null ? 150 : 200,
      sortField: "datetime",
      isFixed: true,
      value: (row) => slotText(row.at, null, zone).join(" "),
      cell: (row) => <Slot row={row} context={context} />,
    },
    ...context.columns.map((column, at): GridColumn<DataRow> => ({
      id: column.name,
      title: column.unit === "" ? column.title : `${column.title}, ${column.unit}`,
      ...groupedBy(headings[at]),
      width: widths[at] ?? 130,
      align: "right",
      value: (row) => valueOf(column, row),
      cell: (row) => {
        const value = valueOf(column, row);
        if (Number.isNaN(value)) return <span className="quiet">—</span>;
        const text = number(value, column.decimals);
        if (row.kind === "reading" && overGaps.get(column.name)?.has(row.index) === true)
          return <span className="quiet">{t("overGap", { value: text })}</span>;
        return <span className={value === 0 ? "quiet" : undefined}>{text}</span>;
      },
    })),
    {
      id: "status",
      title: t("column.status"),
      isEnd: true,
      // Few columns stay together on the left instead of spreading over the whole width.
      width: Math.max(190, 900 - 200 - widths.reduce((sum, each) => sum + each, 0)),
      value: (row) => (row.kind === "reading" ? t(`state.${stateOfRow(table, row.index)}`) : null),
      cell: (row) => (row.kind === "reading" ? <RowStatus index={row.index} context={context} /> : null),
    },
  ];
}

/** Two lines of a phone: the slot with the first value, the state with the second. */
export function DataPhoneRow({ row, context }: { readonly row: DataRow; readonly context: DataContext }) {
  const { t, number, columns, zone, intervalSec } = context;
  if (row.kind === "gap") {
    return (
      <span className="data-phone">
        <b>{slotText(row.at, row.gap.to, zone).join(", ")}</b>
        <Status kind="off">{t("gap", { count: row.gap.missing })}</Status>
      </span>
    );
  }
  const [kind, text] = rowStateText(context, row.index);
  const value = (column: DataColumn | undefined) => {
    const found = column?.values[row.index] ?? Number.NaN;
    return column && !Number.isNaN(found) ? `${number(found, column.decimals)} ${column.unit}` : "";
  };
  const end = intervalSec === null ? null : row.at + intervalSec;
  return (
    <span className="data-phone">
      <b>{slotText(row.at, end, zone).join(", ")}</b>
      <b className="data-phone-value">{value(columns[0])}</b>
      <Status kind={kind}>{text}</Status>
      <span className="data-phone-value">{value(columns[1])}</span>
    </span>
  );
}
