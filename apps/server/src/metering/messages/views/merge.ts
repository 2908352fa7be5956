import type { PeriodSummary } from "@metrum/contract/metering";
import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import { rounded, sum } from "#core";
import type { Piece } from "./piece.ts";
import { percentOf, profileType } from "../received/index.ts";
import type { SeriesRow } from "../read/index.ts";
import type { Cell, Columns, FieldHeader, Table } from "./table.ts";

/** Tables one after another: a column that one of them lacks is null there. */
export function mergedTable(tables: readonly Table[]): Table {
  const filled = tables.filter(({ columns }) => (columns["datetime"]?.length ?? 0) > 0);
  const [only] = filled.length === 0 ? tables : filled;
  if (filled.length <= 1) return only ?? emptyTable;
  const names = [...new Set(filled.flatMap(({ columns }) => Object.keys(columns)))];
  const headers = new Map<string, FieldHeader>();
  for (const table of filled)
    for (const header of table.headers) if (!headers.has(header.name)) headers.set(header.name, header);
  const columns: Columns = Object.fromEntries(
    names.map((name) => [
      name,
      filled.flatMap((table): Cell[] => {
        const length = table.columns["datetime"]?.length ?? 0;
        return table.columns[name] ?? new Array<Cell>(length).fill(null);
      }),
    ]),
  );
  return { columns, headers: [...headers.values()] };
}

const stamps = ["datetime", "realdatetime", "created_at", "message_api", "status", "source"];
const emptyTable: Table = { columns: Object.fromEntries(stamps.map((name) => [name, []])), headers: [] };

type Total = PeriodSummary["totals"][number];

/** Summaries of consecutive intervals as one. */
export function mergedSummary(summaries: readonly PeriodSummary[]): PeriodSummary {
  const [first] = summaries;
  if (first && summaries.length === 1) return first;
  const whole = (of: (summary: PeriodSummary) => number | null): number | null => {
    const known = summaries.flatMap((summary) => of(summary) ?? []);
    return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
  };
  const [expected, received] = [whole((each) => each.expected), whole((each) => each.received)];
  return {
    expected,
    received,
    received_share: expected === null || received === null ? null : percentOf({ expected, received }),
    gaps: summaries.flatMap(({ gaps }) => gaps),
    gap_count: whole(({ gap_count }) => gap_count) ?? 0,
    totals: mergedTotals(summaries.flatMap(({ totals }) => totals)),
    tg_phi: mergedPhi(summaries),
    totals_from: summaries.findLast(({ totals_from }) => totals_from !== null)?.totals_from ?? null,
  };
}

function mergedTotals(totals: readonly Total[]): Total[] {
  const merged = new Map<string, Total>();
  for (const total of totals) {
    const key = `${total.kind} ${total.name}`;
    const before = merged.get(key);
    merged.set(key, before ? together(before, total) : total);
  }
  return [...merged.values()];
}

function together(before: Total, total: Total): Total {
  const { kind, value } = total;
  if (kind === "latest") return total;
  if (kind === "maximum") return (before.value ?? -Infinity) >= (value ?? -Infinity) ? before : total;
  const both = before.value === null || value === null ? null : sum([before.value, value]);
  return { ...total, from: before.from, value: both };
}

/** The ratio of the whole, weighted by the active energy of each interval. */
function mergedPhi(summaries: readonly PeriodSummary[]): number | null {
  const known = summaries.flatMap(({ tg_phi, totals }) => {
    const active = totals.find(({ kind, name }) => kind === "energy" && name === "power_a_plus")?.value;
    return tg_phi === null || active == null ? [] : [{ tg_phi, active }];
  });
  const whole = known.reduce((total, { active }) => total + active, 0);
  return whole > 0
    ? rounded(known.reduce((total, each) => total + each.tg_phi * each.active, 0) / whole)
    : null;
}

/**
 * Rows of a piece together with the opening and closing readings that lie in the period, for totals: what was
 * counted between a reading and the nearest row belongs to it.
 */
export function withEnds(
  rows: readonly SeriesRow[],
  { tie }: Piece,
  {
    msgType,
    startDate,
    stopDate,
  }: { readonly msgType: number; readonly startDate: number; readonly stopDate: number },
): readonly SeriesRow[] {
  if (!tie || msgType === profileType) return rows;
  const names = new Set(rows.flatMap(({ set }) => set.fields));
  const noted = (ts: number, values: Readonly<Partial<Record<FieldName, number>>>): SeriesRow[] => {
    const fields = (Object.keys(values) as FieldName[]).filter((name) => names.has(name));
    return fields.length === 0 ? [] : [notedRow(ts, fields, values)];
  };
  return [
    ...(startDate <= tie.from ? noted(tie.from, tie.opening) : []),
    ...rows,
    ...(tie.to !== null && stopDate >= tie.to - 1 ? noted(tie.to, tie.closing) : []),
  ];
}

const notedRow = (
  ts: number,
  fields: readonly FieldName[],
  values: Readonly<Partial<Record<FieldName, number>>>,
): SeriesRow => ({
  ts,
  real: null,
  received: 0,
  status: statuses.manual.id,
  source: sources.manual,
  by_field: null,
  set: { fields },
  v: fields.map((name) => values[name] ?? null),
  extra: null,
});
