import {
  fieldOf,
  sources,
  units,
  type FieldKind,
  type FieldName,
  type Language,
  type ResourceKey,
  type Text,
  type UnitKey,
} from "@metrum/vocabulary";
import { product, rounded, sum } from "#core";
import type { CounterRange } from "./growth.ts";
import { growthBetween, type Fall, type Falls, type Point } from "./resets.ts";
import type { ShownRow } from "./shown.ts";
import { statusOfValue, trustedValues, worstStatus } from "./trust.ts";
import { sourceName, statusName } from "./types.ts";

export type Cell = string | number | boolean | null;
export type Columns = Record<string, Cell[]>;

export interface FieldHeader {
  readonly name: string;
  readonly title: string;
  readonly title_en: string;
  readonly unit: string;
}

/** Messages as columns with their headers. */
export interface Table {
  readonly columns: Columns;
  readonly headers: FieldHeader[];
}

/** Consumption that belongs to the first row, of a device before it; null: it is not known. */
export interface Carried {
  readonly value: number | null;
  readonly ratio: number;
}

export interface TableOptions {
  readonly resource: ResourceKey;
  readonly language: Language;
  readonly msgType: number;
  /** The last trusted values before the first row: the base of its growth. */
  readonly before: ReadonlyMap<FieldName, Point>;
  /** Ranges of the counters of the device. */
  readonly rangeOf: (name: FieldName) => CounterRange;
  /** Resets shown by the readings between these rows, if the rows are archives. */
  readonly falls: Falls;
  /** The ratio valid at a row's time; undefined: always 1, and no _kkt column. */
  readonly ratioAt?: ((ts: number) => number) | undefined;
  /** The share of losses valid at a row's time; undefined: no _loss_factor column. */
  readonly lossAt?: ((ts: number) => number) | undefined;
  /** What an earlier device counted since its last row: part of the growth of the first one. */
  readonly carried?: ReadonlyMap<FieldName, Carried> | undefined;
  /**
   * Factor from average power of an interval to its energy: 0.5 for half-hours, 1 for hours; undefined leaves
   * power.
   */
  readonly energyFactor?: number | undefined;
  readonly withRA: boolean;
  readonly extraFields: readonly string[];
}

/** Rows of these fields show the growth from the previous row (GENERAL-019). */
const growing = /^(?:tariff(?:_[a-z_]+)?|in)\d$/;
/** Fields multiplied by the ratio of a current transformer. */
const transformed = /^(?:tariff|power_|current)/;
const profileType = 5;
/** The clock of a meter can only be checked if a row was read at its own time. */
const momentTypes = new Set([1, 2]);
const toleratedSec = 60;
const energyUnits = { kW: "kWh", kvar: "kvarh" } as const;

/** Fields of these rows for which a table shows growth. */
export function growingFields(rows: readonly ShownRow[], msgType: number): FieldName[] {
  if (msgType === profileType) return [];
  return [...new Set(rows.flatMap(({ set }) => set.fields))].filter((name) => growing.test(name));
}

/**
 * One pass over the rows for each column. A missing value is null, never zero. A suspect or rejected value is
 * shown as such and excluded from computations: its own growth is null, the next one is computed from the
 * previous trusted value. If a value has another status than its row, the column `NAME_status` gives it.
 */
export function tableOf(rows: readonly ShownRow[], options: TableOptions): Table {
  const values = valuesByField(rows, ({ v }) => v);
  const trusted = valuesByField(rows, trustedValues);
  const growingNames = new Set(growingFields(rows, options.msgType));
  const columns: Columns = stampsOf(rows, options.msgType);
  const headers: FieldHeader[] = [];
  const put = (name: string, title: Text, unit: string, cells: Cell[]): void => {
    columns[name] = cells;
    headers.push({ name, title: title.ru, title_en: title.en, unit });
  };
  const putLosses = (name: string, title: Text, unit: string, cells: readonly (number | null)[]): void => {
    const { lossAt } = options;
    if (!lossAt) return;
    const factors = rows.map(({ ts }) => 1 + lossAt(ts));
    put(`${name}_loss_factor`, withSuffix(title, losses), unit, multiplied(cells, factors));
  };
  for (const [name, column] of values) {
    const field = fieldOf(name, options.resource);
    const { factor, unit: unitKey } = shownAs(field.kind, field.unit, options.energyFactor);
    const unit = units[unitKey][options.language];
    const shown = factor === 1 ? column : column.map((value) => times(value, factor));
    put(name, field.title, unit, shown);
    putStatus(rows, name, columns);
    const withRatio = options.ratioAt !== undefined && transformed.test(name);
    const ratios = withRatio ? rows.map(({ ts }) => options.ratioAt?.(ts) ?? 1) : undefined;
    if (ratios) put(`${name}_kkt`, withSuffix(field.title, kkt), unit, multiplied(shown, ratios));
    if (field.kind === "interval") putLosses(name, field.title, unit, multiplied(shown, ratios));
    if (!growingNames.has(name)) continue;
    const known = trusted.get(name) ?? [];
    const points = rows.map(({ ts }, at) => ({ ts, value: known[at] ?? null }));
    const { start, delta } = growthOf(points, options.before.get(name), {
      range: options.rangeOf(name),
      falls: options.falls.get(name),
    });
    const consumed = withSuffix(field.title, consumption);
    const own = multiplied(delta, ratios);
    const carried = options.carried?.get(name);
    const first = points.findIndex(({ value }) => value !== null);
    put(`delta_${name}`, consumed, unit, withCarried(delta, first, carried && { ...carried, ratio: 1 }));
    const total = withCarried(own, first, carried);
    if (ratios) put(`delta_${name}_kkt`, withSuffix(consumed, kkt), unit, total);
    putLosses(`delta_${name}`, consumed, unit, total);
    if (isWanted(options, "start_", name))
      put(`start_${name}`, withSuffix(field.title, atStart), unit, start);
    if (isWanted(options, "end_", name)) put(`end_${name}`, withSuffix(field.title, atEnd), unit, known);
  }
  if (options.withRA) putRA(trusted, put);
  return { columns, headers };
}

/** Cells times the factor of their rows; without factors as they are. */
const multiplied = (
  cells: readonly (number | null)[],
  factors: readonly number[] | undefined,
): (number | null)[] => (factors ? cells.map((value, at) => times(value, factors[at] ?? 1)) : [...cells]);

/** The first growth together with that of an earlier device; unknown if either is. */
function withCarried(
  delta: readonly (number | null)[],
  first: number,
  carried: Carried | undefined,
): (number | null)[] {
  if (!carried) return [...delta];
  return delta.map((value, at) =>
    at !== first || value === null
      ? value
      : carried.value === null
        ? null
        : sum([value, product(carried.value, carried.ratio)]),
  );
}

/** Growth of each trusted value since the previous trusted one, and that earlier value. */
function growthOf(
  column: readonly { readonly ts: number; readonly value: number | null }[],
  before: Point | undefined,
  how: { readonly range: CounterRange; readonly falls: readonly Fall[] | undefined },
): { start: Cell[]; delta: (number | null)[] } {
  let last = before;
  const start: Cell[] = [];
  const delta = column.map(({ ts, value }) => {
    start.push(value === null ? null : (last?.value ?? null));
    if (value === null) return null;
    const now = { ts, value };
    const grown = last ? growthBetween(last, now, how) : null;
    last = now;
    return grown;
  });
  return { start, delta };
}

/** Statuses of the values of a field that differ from those of their rows; no column without any. */
function putStatus(rows: readonly ShownRow[], name: FieldName, columns: Columns): void {
  if (!rows.some(({ by_field }) => by_field?.[name])) return;
  columns[`${name}_status`] = rows.map((row) =>
    row.by_field?.[name] ? statusName(statusOfValue(row, name)) : null,
  );
}

/** The same as rows, each with every column. */
export function rowsOf({ columns }: Table): Record<string, Cell>[] {
  const names = Object.keys(columns);
  return (columns["datetime"] ?? []).map((_, at) =>
    Object.fromEntries(names.map((name) => [name, columns[name]?.[at] ?? null])),
  );
}

const kkt: Text = { ru: "с коэффициентом", en: "with transformer", mn: "коэффициенттэй" };
const losses: Text = { ru: "с потерями", en: "with losses", mn: "алдагдалтай" };
const consumption: Text = { ru: "расход", en: "consumption", mn: "хэрэглээ" };
const atStart: Text = { ru: "начало", en: "start", mn: "эхлэл" };
const atEnd: Text = { ru: "конец", en: "end", mn: "төгсгөл" };

const withSuffix = (title: Text, suffix: Text): Text => ({
  ru: `${title.ru}, ${suffix.ru}`,
  en: `${title.en}, ${suffix.en}`,
  mn: `${title.mn}, ${suffix.mn}`,
});

const times = (value: number | null, factor: number): number | null =>
  value === null ? null : product(value, factor);

function isWanted({ extraFields }: TableOptions, prefix: string, name: string): boolean {
  return extraFields.includes(prefix) || extraFields.includes(prefix + name);
}

function shownAs(
  kind: FieldKind,
  unit: UnitKey,
  energyFactor: number | undefined,
): { factor: number; unit: UnitKey } {
  if (energyFactor === undefined || kind !== "interval") return { factor: 1, unit };
  if (unit !== "kW" && unit !== "kvar") return { factor: 1, unit };
  return { factor: energyFactor, unit: energyUnits[unit] };
}

/** Values of each field by row; null if a row has none. */
export function valuesByField(
  rows: readonly ShownRow[],
  valuesOf: (row: ShownRow) => readonly (number | null)[],
): Map<FieldName, (number | null)[]> {
  const columns = new Map<FieldName, (number | null)[]>();
  rows.forEach((row, at) => {
    const v = valuesOf(row);
    row.set.fields.forEach((name, position) => {
      let column = columns.get(name);
      if (!column) columns.set(name, (column = new Array<number | null>(rows.length).fill(null)));
      column[at] = v[position] ?? null;
    });
  });
  return columns;
}

/** The most severe status of the row's values. */
function shownStatus({ status, by_field, set, v }: ShownRow): string {
  if (by_field === null) return statusName(status);
  const own = set.fields.flatMap((name, at) => {
    const origin = by_field[name];
    if (origin) return [origin.status];
    return (v[at] ?? null) === null ? [] : [status];
  });
  return statusName(worstStatus(own) ?? status);
}

function stampsOf(rows: readonly ShownRow[], msgType: number): Columns {
  const columns: Columns = {
    datetime: rows.map((row) => row.ts),
    realdatetime: rows.map((row) => row.ts + (row.real ?? 0)),
    created_at: rows.map((row) => row.ts + row.received),
    message_api: rows.map(({ source }) => source === sources.calculated || source === sources.manual),
    status: rows.map(shownStatus),
    source: rows.map((row) => sourceName(row.source)),
  };
  if (momentTypes.has(msgType)) columns["clock_off"] = rows.map(clockOff);
  if (rows.some((row) => row.extra))
    for (const name of ["reason", "method"]) columns[name] = rows.map(({ extra }) => cellOf(extra?.[name]));
  return columns;
}

const cellOf = (value: unknown): Cell =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;

/** How far the meter's clock was ahead of the server's when the row was read, if significant. */
function clockOff({ real, received }: ShownRow): number | null {
  if (real === null) return null;
  const difference = real - received;
  return Math.abs(difference) > toleratedSec ? difference : null;
}

function putRA(
  values: ReadonlyMap<FieldName, (number | null)[]>,
  put: (name: string, title: Text, unit: string, cells: Cell[]) => void,
): void {
  for (const [sign, way] of [
    ["+", "plus"],
    ["-", "minus"],
  ] as const) {
    const active = values.get(`power_a_${way}`);
    const reactive = values.get(`power_r_${way}`);
    if (!active || !reactive) continue;
    const title = `R${sign}/A${sign}`;
    put(
      `r/a${sign}`,
      { ru: title, en: title, mn: title },
      "%",
      active.map((a, at) => {
        const r = reactive[at] ?? null;
        return a === null || r === null || a === 0 ? null : rounded((100 * r) / a);
      }),
    );
  }
}
