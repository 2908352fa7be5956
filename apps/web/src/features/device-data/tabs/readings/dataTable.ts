import {
  columnOf,
  fieldOf,
  fields,
  isFieldName,
  type Field,
  type Language,
  type ResourceKey,
} from "@metrum/vocabulary";

/** One column of an answer: values by row, NaN for none. */
export interface DataColumn {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly decimals: number;
  readonly values: Float64Array;
}

/** The answer of a message call as columns, oldest row first. */
export interface DataTable {
  /** The slot of a row; for profiles the start of its interval. */
  readonly time: Float64Array;
  /** When the row was stored; NaN if unknown. */
  readonly storedAt: Float64Array;
  /** Seconds the clock of the meter was ahead; NaN when it was right. */
  readonly clockOff: Float64Array;
  readonly status: readonly string[];
  readonly source: readonly string[];
  /** Reason and method of a row's calculation, by row. */
  readonly reason: readonly (string | undefined)[];
  readonly method: readonly (string | undefined)[];
  readonly columns: readonly DataColumn[];
}

export const emptyTable: DataTable = {
  time: new Float64Array(),
  storedAt: new Float64Array(),
  clockOff: new Float64Array(),
  status: [],
  source: [],
  reason: [],
  method: [],
  columns: [],
};

export type Cell = string | number | boolean | null;

/** Values by column name, one per row. */
export type Columns = Readonly<Record<string, Cell[]>>;

export interface FieldHeader {
  readonly name: string;
  readonly title: string;
  readonly title_en: string;
  readonly unit: string;
  readonly decimals: number;
}

/** Epoch seconds of a time stamp that may be in milliseconds: below 11 digits it is seconds. */
export function secondsOf(stamp: number): number {
  return Math.abs(stamp) < 1e10 ? stamp : Math.floor(stamp / 1000);
}

const numbersOf = (cells: readonly Cell[] | undefined, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, at) => {
    const cell = cells?.[at];
    return typeof cell === "number" ? cell : Number.NaN;
  });
const textsOf = (cells: readonly Cell[] | undefined, count: number): readonly (string | undefined)[] =>
  Array.from({ length: count }, (_, at) => {
    const cell = cells?.[at];
    return cell === null || cell === undefined || cell === "" ? undefined : String(cell);
  });

/**
 * Columns of an answer, sorted by ascending time. Titles are in English when the language is not Russian;
 * columns without any value are omitted.
 */
export function toTable(
  columns: Columns,
  headers: readonly FieldHeader[],
  wordsOf: (header: FieldHeader) => Words,
): DataTable {
  const stamps = columns["datetime"] ?? [];
  const count = stamps.length;
  const raw = numbersOf(stamps, count).map(secondsOf);
  const order = ascending(raw);
  const inOrder = <Value>(values: readonly Value[]): readonly Value[] =>
    order === null ? values : order.flatMap((at) => values.slice(at, at + 1));
  const sorted = (values: Float64Array): Float64Array =>
    order === null ? values : Float64Array.from(order, (at) => values[at] ?? Number.NaN);
  const status = textsOf(columns["status"], count).map((each) => each ?? "measured");
  const source = textsOf(columns["source"], count).map(
    (each, at) => each ?? sourceOf(columns["message_api"]?.[at]),
  );
  return {
    time: sorted(raw),
    storedAt: sorted(numbersOf(columns["created_at"], count).map(secondsOf)),
    clockOff: sorted(numbersOf(columns["clock_off"], count)),
    status: inOrder(status),
    source: inOrder(source),
    reason: inOrder(textsOf(columns["reason"], count)),
    method: inOrder(textsOf(columns["method"], count)),
    columns: headers
      .filter((header) => columns[header.name] !== undefined)
      .map((header) => ({
        name: header.name,
        ...wordsOf(header),
        decimals: header.decimals,
        values: sorted(numbersOf(columns[header.name], count)),
      }))
      .filter((column) => column.values.some((value) => !Number.isNaN(value))),
  };
}

const sourceOf = (isCalculated: Cell | undefined) => (isCalculated === true ? "calculated" : "polled");

/** Row order by time; null when already sorted. */
function ascending(time: Float64Array): readonly number[] | null {
  const isSorted = time.every((at, index) => index === 0 || at >= (time[index - 1] ?? at));
  return isSorted ? null : Array.from(time.keys()).sort((a, b) => (time[a] ?? 0) - (time[b] ?? 0));
}

interface Words {
  readonly title: string;
  readonly unit: string;
}

export interface Wording {
  readonly resource: ResourceKey;
  readonly language: Language;
  /** Title of a derived column: growth, value at the start or the end. */
  readonly derived: (kind: "start" | "end" | "delta", name: string) => string;
}

const derivedKinds = { start: "start", end: "end", growth: "delta" } as const;

/**
 * Title and unit as worded by the server; a stored field has its title in every language, the wire only in
 * two.
 */
export function wordsOf(header: FieldHeader, { resource, language, derived }: Wording): Words {
  const { unit } = header;
  const { field, part, isWithRatio, isWithLosses } = columnOf(header.name);
  if (!isFieldName(field) || isWithRatio || isWithLosses)
    return { title: language === "ru" ? header.title : header.title_en, unit };
  const title = fieldOf(field, resource).title[language];
  return { title: part === "value" ? title : derived(derivedKinds[part], title), unit };
}

/** Column groups that the switches above the table may hide. */
export interface ColumnSwitches {
  readonly hasDelta: boolean;
  readonly hasLosses: boolean;
  readonly hasTransformer: boolean;
}

export function switchesOf(columns: readonly Pick<DataColumn, "name">[]): ColumnSwitches {
  return {
    hasDelta: columns.some(({ name }) => columnOf(name).part !== "value"),
    hasLosses: columns.some(({ name }) => columnOf(name).isWithLosses),
    hasTransformer: columns.some(({ name }) => columnOf(name).isWithRatio),
  };
}

export interface Shown {
  readonly delta: boolean;
  readonly losses: boolean;
  readonly transformer: boolean;
  /** Active, reactive or both: of the four quadrants of a profile. */
  readonly energy: "a" | "r" | "ar";
}

/**
 * Prefixes belong to the delta switch, suffixes to those of losses and current transformer. Some models store
 * their starting value themselves.
 */
export function isShown(
  name: string,
  shown: Shown,
  model: { readonly has_own_starting_value: boolean },
): boolean {
  if (name === "starting_value" && model.has_own_starting_value) return false;
  const { field, part, isWithLosses, isWithRatio } = columnOf(name);
  if (part !== "value" && !shown.delta) return false;
  if (isWithLosses && !shown.losses) return false;
  if (isWithRatio && !shown.transformer) return false;
  const energy = quadrantOf(field);
  return energy === undefined || shown.energy === "ar" || shown.energy === (energy === "active" ? "a" : "r");
}

/** The energy of a profile whose power a field is. */
export function quadrantOf(field: string): Field["energy"] {
  return isFieldName(field) && fields[field].kind === "interval" ? fields[field].energy : undefined;
}

/** Merges new rows into an open answer: rows of the same time are replaced, others inserted. */
export function mergeColumns(old: Columns, fresh: Columns): Columns {
  const times = new Set(fresh["datetime"]);
  const count = fresh["datetime"]?.length ?? 0;
  const kept = (old["datetime"] ?? []).flatMap((at, index) => (times.has(at) ? [] : [index]));
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  return Object.fromEntries(
    names.map((name) => [
      name,
      [
        ...kept.map((index) => old[name]?.[index] ?? null),
        ...Array.from({ length: count }, (_, index) => fresh[name]?.[index] ?? null),
      ],
    ]),
  );
}
