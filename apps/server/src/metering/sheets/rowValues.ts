import { fieldFault, type FieldFault, type Problem } from "@metrum/contract/core";
import type { Language } from "@metrum/vocabulary";
import type { Ctx, SheetCell } from "#core";
import type { GoingImport, WaitingRow } from "./batchStore.ts";
import { valueOf, type GatewayNumbers, type KnownNames } from "./cells.ts";
import { faultAt } from "./faults.ts";
import { callField, fieldsOf, keyOf, neededOf, type FieldOfSheet } from "./fields.ts";
import type { RowValues } from "./kinds.ts";
import type { StoredFault } from "./store.ts";
import { gatewaysNamed, stationsNamed } from "./thingStore.ts";

/** What the cells of a batch are read with. */
export interface Reading {
  readonly language: Language;
  readonly going: GoingImport;
  readonly fields: readonly (FieldOfSheet | undefined)[];
  readonly stations: ReadonlyMap<string, number | null>;
  readonly gateways: GatewayNumbers;
}

export async function readingOf(ctx: Ctx, going: GoingImport, rows: readonly WaitingRow[]): Promise<Reading> {
  const { db, scope } = ctx;
  const { kind, mapping } = going;
  const known = fieldsOf(ctx, kind);
  const fields = mapping.map((name) => known.find(({ field }) => field === name));
  const wordsIn = (as: FieldOfSheet["as"]): string[] => {
    const at = fields.findIndex((field) => field?.as === as);
    return at === -1
      ? []
      : [
          ...new Set(
            rows.map(({ cells }) =>
              String(cells[at] ?? "")
                .trim()
                .toLowerCase(),
            ),
          ),
        ];
  };
  return {
    language: ctx.language,
    going,
    fields,
    stations: await stationsNamed(db, scope, wordsIn("station")),
    gateways: await gatewaysNamed(db, scope, wordsIn("gateway")),
  };
}

/** The values of cells by the fields of their call, and the faults of those that have none. */
export function readCells(
  fields: readonly (FieldOfSheet | undefined)[],
  cells: readonly SheetCell[],
  of: KnownNames,
): { readonly values: Record<string, unknown>; readonly faults: StoredFault[] } {
  const values: Record<string, unknown> = {};
  const faults: StoredFault[] = [];
  for (const [column, field] of fields.entries()) {
    const read = field && valueOf(field, cells[column] ?? null, of);
    if (!field || !read) continue;
    const name = callField(field.field);
    if ("fault" in read) faults.push({ column, code: read.fault.fault, params: read.fault.params });
    // A period in seconds and in minutes may both be given, but not two periods.
    else if ((values[name] ?? read.value) !== read.value) faults.push({ column, code: "wrong", params: {} });
    else values[name] = read.value;
  }
  return { values, faults };
}

/** The values of a row by the fields of its call, and the faults of its cells. */
export function readRow(reading: Reading, { cells, twin }: WaitingRow) {
  const { going, fields, stations, gateways, language } = reading;
  const { kind, mapping } = going;
  const needed = neededOf(kind);
  const { values, faults } = readCells(fields, cells, { kind, stations, gateways, language });
  const isFaulty = faults.some(({ column }) => column === mapping.indexOf(needed));
  const add = (field: string, { fault: code, params }: FieldFault) =>
    faults.push(faultAt(field, mapping, { code, params }));
  if (values[needed] === undefined && !isFaulty) add(needed, fieldFault("required"));
  else if (twin !== null) add(keyOf[kind], fieldFault("same_in_file", { row: twin }));
  return { values, faults };
}

/** A row that is refused, with what is wrong with it so far. */
export interface FaultyRow {
  readonly waiting: WaitingRow;
  readonly values: RowValues;
  readonly faults: readonly StoredFault[];
}

/**
 * The values with which the rest of a row with faults is checked: without those at fault; the number of a thing at
 * fault has a stand-in. Undefined: what a row of several things is of cannot be told.
 */
export function restOf(reading: Reading, row: FaultyRow): RowValues | undefined {
  const { kind } = reading.going;
  const [key, needed] = [keyOf[kind], neededOf(kind)];
  const wrong = fieldsAtFault(reading, row);
  if (needed !== key && (wrong.has(needed) || wrong.has(key))) return undefined;
  const rest = withoutFields(row.values, [...wrong]);
  return wrong.has(key) ? { ...rest, [key]: standIn(row.waiting.row) } : rest;
}

/** Fields of the call whose columns have a fault. */
function fieldsAtFault({ going: { mapping } }: Reading, { faults }: FaultyRow): Set<string> {
  const fields = faults.map(({ column }) => (column === null ? undefined : mapping[column]));
  return new Set(fields.flatMap((field) => (field ? callField(field) : [])));
}

/** A number of fifteen digits that no other row of the file has. */
const standIn = (row: number): string => String(10 ** 14 + row);

/**
 * The faults found with the rest of a row: those of columns without a fault, unless they follow from what another
 * column lacks.
 */
export function newFaults(reading: Reading, row: FaultyRow, found: readonly StoredFault[]): StoredFault[] {
  const columns = new Set(row.faults.map(({ column }) => column));
  const ofRow = new Set(row.faults.flatMap(({ column, code }) => (column === null ? code : [])));
  const wrong = fieldsAtFault(reading, row);
  const hasNumber = !wrong.has(keyOf[reading.going.kind]);
  const follows = ({ code }: StoredFault): boolean =>
    // The number may be that of a thing that has what the row lacks.
    (code === "required" && !hasNumber) ||
    // An address that is not given is that of the number.
    (code === "device_address" && !hasNumber && row.values["inside_addr"] === undefined) ||
    (code === "sooner_than_reports" && wrong.has("report_period_update"));
  const isKnown = ({ column, code }: StoredFault): boolean =>
    column === null ? ofRow.has(code) : columns.has(column);
  return found.filter((fault) => !isKnown(fault) && !follows(fault));
}

/** Values that the model of a row has no use for: they are left out with a note. */
export function unusedOf({ attributes }: Problem, values: RowValues): string[] {
  return Object.keys(values).filter((field) => {
    const given = attributes[field] ?? [];
    return (
      given.length > 0 &&
      given.every((each) => (typeof each === "string" ? each : each.fault) === "not_of_model")
    );
  });
}

export function withoutFields(values: RowValues, fields: readonly string[]): RowValues {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)));
}

export const notesOf = (mapping: readonly (string | null)[], fields: readonly string[]): StoredFault[] =>
  fields.map((field) => faultAt(field, mapping, { code: "not_of_model", params: {} }));
