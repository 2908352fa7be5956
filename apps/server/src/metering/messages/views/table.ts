import {
  fieldOf,
  fields,
  sources,
  units,
  type Field,
  type FieldName,
  type Language,
  type ResourceKey,
  type Text,
  type Transformers,
  type UnitKey,
} from "@metrum/vocabulary";
import { product, rounded, sum } from "#core";
import {
  growthBetween,
  higherOf,
  type CounterRange,
  type Fall,
  type Falls,
  type Point,
} from "../growth/index.ts";
import type { SeriesRow } from "../read/index.ts";
import {
  isWhollyTrusted,
  sourceName,
  statusName,
  statusOfValue,
  trustedValues,
  worstStatus,
} from "../rows/index.ts";

export type Cell = string | number | boolean | null;
export type Columns = Record<string, Cell[]>;

export interface FieldHeader {
  readonly name: string;
  readonly title: string;
  readonly title_en: string;
  readonly unit: string;
  /** Those of every value of the column where it is shown; values are not rounded to them. */
  readonly decimals: number;
}

/** Messages as columns with their headers. */
export interface Table {
  readonly columns: Columns;
  readonly headers: FieldHeader[];
}

/** A time in which something was consumed; `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Consumption that belongs to the first row, of a device before it; null: it is not known. */
export interface Carried extends Span {
  readonly value: number | null;
}

/** What consumption is multiplied by; null: not known. */
export type Factor = (span: Span) => number | null;

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
  /** The ratio of a span behind these transformers, null if it changes within; undefined: always 1, and no _kkt column. */
  readonly ratioOver?: ((transformers: Transformers | undefined) => Factor | undefined) | undefined;
  /** The share of losses of a span; undefined: no _loss_factor column. */
  readonly lossOver?: ((span: Span) => number) | undefined;
  /** What an earlier device counted since its last row: part of the growth of the first one. */
  readonly carried?: ReadonlyMap<FieldName, Carried> | undefined;
  /** Length of the intervals whose average powers the rows are. */
  readonly intervalSec?: number | undefined;
  /** Energy of the intervals instead of their average power. */
  readonly isEnergy?: boolean | undefined;
  readonly withRA: boolean;
  readonly extraFields: readonly string[];
}

const profileType = 5;
/** The clock of a meter can only be checked if a row was read at its own time. */
const momentTypes = new Set([1, 2]);
const toleratedSec = 60;
const energyUnits = { kW: "kWh", kvar: "kvarh" } as const;

/** Fields of these rows for which a table shows growth. */
export function growingFields(rows: readonly SeriesRow[], msgType: number): FieldName[] {
  if (msgType === profileType) return [];
  return [...new Set(rows.flatMap(({ set }) => set.fields))].filter((name) => fields[name].showsGrowth);
}

/**
 * One pass over the rows for each column. A missing value is null, never zero. A suspect or rejected value is
 * shown as such and excluded from computations: its own growth is null, the next one is computed from the
 * previous trusted value. If a value has another status than its row, the column `NAME_status` gives it.
 */
export function tableOf(rows: readonly SeriesRow[], options: TableOptions): Table {
  const values = valuesByField(rows, ({ v }) => v);
  const trusted = rows.every(isWhollyTrusted) ? values : valuesByField(rows, trustedValues);
  const growingNames = new Set(growingFields(rows, options.msgType));
  const columns: Columns = stampsOf(rows, options.msgType);
  const headers: FieldHeader[] = [];
  const put: Put = (name, { title, unit, decimals }, cells) => {
    columns[name] = cells;
    headers.push({ name, title: title.ru, title_en: title.en, unit, decimals });
  };
  const { lossOver } = options;
  for (const [name, column] of values) {
    const field = fieldOf(name, options.resource);
    const { factor, unit } = shownAs(field, options);
    const as = { title: field.title, unit: units[unit][options.language], decimals: field.decimals };
    const shown =
      factor === 1 ? column : column.map((value) => (value === null ? null : product(value, factor)));
    const factors: Factors = {
      ratio: options.ratioOver?.(field.transformers),
      loss: lossOver && ((span) => 1 + lossOver(span)),
    };
    put(name, as, shown);
    putStatus(rows, name, columns);
    const length = field.kind === "interval" ? (options.intervalSec ?? 0) : 0;
    const spanOf = (at: number): Span => {
      const { ts = 0 } = rows[at] ?? {};
      return { from: ts, to: ts + length };
    };
    putFactors(
      put,
      { name, as, cells: shown, spanOf },
      field.kind === "interval" ? factors : { ratio: factors.ratio },
    );
    if (!growingNames.has(name)) continue;
    const points = rows.map((row, at) => ({
      ...{ ts: row.ts, value: trusted.get(name)?.[at] ?? null },
      status: statusOfValue(row, name),
    }));
    putGrowth(put, { name, as, points, factors }, options);
  }
  if (options.withRA) putRA(trusted, put);
  return { columns, headers };
}

interface Words {
  readonly title: Text;
  readonly unit: string;
  readonly decimals: number;
}

type Put = (name: string, words: Words, cells: Cell[]) => void;

interface Factors {
  readonly ratio?: Factor | undefined;
  readonly loss?: Factor | undefined;
}

interface Multiplied {
  readonly name: string;
  readonly as: Words;
  readonly cells: readonly (number | null)[];
  readonly spanOf: (at: number) => Span | undefined;
  /** Part of the first cell that has a value, with its own factors. */
  readonly carried?: Carried | undefined;
}

/** The columns of cells times the ratio, and times the ratio with losses. */
function putFactors(
  put: Put,
  { name, as, cells, spanOf, carried }: Multiplied,
  { ratio, loss }: Factors,
): void {
  if (!ratio && !loss) return;
  const first = cells.findIndex((value) => value !== null);
  const times = (factors: readonly Factor[]): (number | null)[] =>
    cells.map((value, at) => {
      const own = multiplied(value, spanOf(at), factors);
      return carried && at === first ? added(own, multiplied(carried.value, carried, factors)) : own;
    });
  if (ratio) put(`${name}_kkt`, withSuffix(as, kkt), times([ratio]));
  if (loss) put(`${name}_loss_factor`, withSuffix(as, losses), times(ratio ? [ratio, loss] : [loss]));
}

function multiplied(value: number | null, span: Span | undefined, factors: readonly Factor[]): number | null {
  if (value === null || !span) return null;
  const known: number[] = [];
  for (const factor of factors) {
    const each = factor(span);
    if (each === null) return null;
    known.push(each);
  }
  return product(value, ...known);
}

const added = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : sum([a, b]);

interface Growing {
  readonly name: FieldName;
  readonly as: Words;
  readonly points: readonly TrustedCell[];
  readonly factors: Factors;
}

/** A point that may have no trusted value. */
type TrustedCell = Omit<Point, "value"> & { readonly value: number | null };

function putGrowth(put: Put, { name, as, points, factors }: Growing, options: TableOptions): void {
  const { start, delta, spans } = growthOf(points, options.before.get(name), {
    range: options.rangeOf(name),
    falls: options.falls.get(name),
  });
  const consumed = withSuffix(as, consumption);
  const carried = options.carried?.get(name);
  const first = delta.findIndex((value) => value !== null);
  const whole = delta.map((value, at) => (carried && at === first ? added(value, carried.value) : value));
  put(`delta_${name}`, consumed, whole);
  const spanOf = (at: number): Span | undefined => spans[at];
  putFactors(put, { name: `delta_${name}`, as: consumed, cells: delta, spanOf, carried }, factors);
  if (isWanted(options, "start_", name)) put(`start_${name}`, withSuffix(as, atStart), start);
  if (isWanted(options, "end_", name)) {
    const end = points.map(({ value }) => value);
    put(`end_${name}`, withSuffix(as, atEnd), end);
  }
}

/** Growth of each trusted value since the previous trusted one, that earlier value, and the time between them. */
function growthOf(
  column: readonly TrustedCell[],
  before: Point | undefined,
  how: { readonly range: CounterRange; readonly falls: readonly Fall[] | undefined },
): { start: Cell[]; delta: (number | null)[]; spans: Span[] } {
  let last = before;
  const start: Cell[] = [];
  const spans: Span[] = [];
  const delta = column.map(({ ts, value, status }) => {
    start.push(value === null ? null : (last?.value ?? null));
    spans.push({ from: last?.ts ?? ts, to: ts });
    if (value === null) return null;
    const now = { ts, value, status };
    const grown = last ? growthBetween(last, now, how) : null;
    last = higherOf(last, now);
    return grown;
  });
  return { start, delta, spans };
}

/** Statuses of the values of a field that differ from those of their rows; no column without any. */
function putStatus(rows: readonly SeriesRow[], name: FieldName, columns: Columns): void {
  if (!rows.some(({ by_field }) => by_field?.[name])) return;
  columns[`${name}_status`] = rows.map((row) =>
    row.by_field?.[name] ? statusName(statusOfValue(row, name)) : null,
  );
}

/** The same as rows, each with every column. */
export function rowsOf({ columns }: Table): Record<string, Cell>[] {
  const named = Object.entries(columns);
  return (columns["datetime"] ?? []).map((_, at) => {
    const row: Record<string, Cell> = {};
    for (const [name, cells] of named) row[name] = cells[at] ?? null;
    return row;
  });
}

const kkt: Text = { ru: "с коэффициентом", en: "with transformer", mn: "коэффициенттэй" };
const losses: Text = { ru: "с потерями", en: "with losses", mn: "алдагдалтай" };
const consumption: Text = { ru: "расход", en: "consumption", mn: "хэрэглээ" };
const atStart: Text = { ru: "начало", en: "start", mn: "эхлэл" };
const atEnd: Text = { ru: "конец", en: "end", mn: "төгсгөл" };

const withSuffix = ({ title, ...words }: Words, suffix: Text): Words => ({
  ...words,
  title: {
    ru: `${title.ru}, ${suffix.ru}`,
    en: `${title.en}, ${suffix.en}`,
    mn: `${title.mn}, ${suffix.mn}`,
  },
});

function isWanted({ extraFields }: TableOptions, prefix: string, name: string): boolean {
  return extraFields.includes(prefix) || extraFields.includes(prefix + name);
}

function shownAs(
  { kind, unit }: Field,
  { isEnergy = false, intervalSec }: TableOptions,
): { factor: number; unit: UnitKey } {
  if (!isEnergy || intervalSec === undefined || kind !== "interval") return { factor: 1, unit };
  if (unit !== "kW" && unit !== "kvar") return { factor: 1, unit };
  return { factor: intervalSec / 3600, unit: energyUnits[unit] };
}

/** Values of each field by row; null if a row has none. */
export function valuesByField(
  rows: readonly SeriesRow[],
  valuesOf: (row: SeriesRow) => readonly (number | null)[],
): Map<FieldName, (number | null)[]> {
  const columns = new Map<FieldName, (number | null)[]>();
  const columnOf = (name: FieldName): (number | null)[] => {
    const known = columns.get(name);
    if (known) return known;
    const made = new Array<number | null>(rows.length).fill(null);
    columns.set(name, made);
    return made;
  };
  let set: SeriesRow["set"] | undefined;
  let own: (number | null)[][] = [];
  for (const [at, row] of rows.entries()) {
    if (row.set !== set) own = (set = row.set).fields.map(columnOf);
    const v = valuesOf(row);
    for (const [position, column] of own.entries()) column[at] = v[position] ?? null;
  }
  return columns;
}

/** The most severe status of the row's values. */
function shownStatus({ status, by_field, set, v }: SeriesRow): string {
  if (by_field === null) return statusName(status);
  const own = set.fields.flatMap((name, at) => {
    const origin = by_field[name];
    if (origin) return [origin.status];
    return (v[at] ?? null) === null ? [] : [status];
  });
  return statusName(worstStatus(own) ?? status);
}

function stampsOf(rows: readonly SeriesRow[], msgType: number): Columns {
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
function clockOff({ real, received }: SeriesRow): number | null {
  if (real === null) return null;
  const difference = real - received;
  return Math.abs(difference) > toleratedSec ? difference : null;
}

function putRA(values: ReadonlyMap<FieldName, (number | null)[]>, put: Put): void {
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
      { title: { ru: title, en: title, mn: title }, unit: "%", decimals: 1 },
      active.map((a, at) => {
        const r = reactive[at] ?? null;
        return a === null || r === null || a === 0 ? null : rounded((100 * r) / a);
      }),
    );
  }
}
