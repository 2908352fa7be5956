import { decimalsOf, isInstant, type Call, type OwnColumn } from "@metrum/contract/core";
import type { Text } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { anyItem, isField, schemasAt, valueAt, valuePaths, type Schema } from "./fields.ts";

/** What the values of a column are: epoch seconds, days as `2026-11-21`, one of some words, yes or no. */
export type ColumnKind = "text" | "number" | "instant" | "day" | "state" | "flag";

/** A column of a data set; its id is the field of a row: "gateway.name". */
export interface DatasetColumn {
  readonly id: string;
  readonly kind: ColumnKind;
  /** Undefined where only a screen names it. */
  readonly title: Text | undefined;
  /** Its numbers are shown with so many decimals; undefined: as they are. */
  readonly decimals: number | undefined;
  /** Field of the row that is the unit of its values. */
  readonly unit: string | undefined;
  readonly total: OwnColumn["total"];
  readonly marks: NonNullable<OwnColumn["marks"]>;
}

/**
 * How a value is known: as the meter measured it, estimated or carried from another period in part or wholly, the known
 * share of it, or not at all. Missing is never zero.
 */
export type Mark =
  | { readonly kind: "measured" | "estimated" | "carried" | "missing" }
  | { readonly kind: "partial"; readonly known: number };

export type CellValue = string | number | boolean | null;

/** A value with its mark. */
export interface DatasetCell {
  readonly value: CellValue;
  readonly mark: Mark;
}

/** Schemas of one row of a list. */
export const rowSchemas = ({ reply, rows = "" }: Pick<Call, "reply" | "rows">): Schema[] =>
  schemasAt([reply], [...rows.split("."), anyItem]);

/**
 * Columns of a list: every value that its rows declare, with what the call says of it. Errors: Error for a column of
 * the call whose fields the rows do not declare.
 */
export function columnsOf(call: Call): DatasetColumn[] {
  const row = rowSchemas(call);
  const own = new Map((call.ownFile?.columns ?? []).map((column) => [column.of, column]));
  const named = [...own.values()].flatMap(({ of, unit = of, marks = {} }) => [
    of,
    unit,
    ...Object.values(marks),
  ]);
  for (const path of [...named, ...(call.ownFile?.totalsBy ?? [])])
    if (!isField(row, path.split("."))) throw new Error(`${call.id}: no row has the field ${path}`);
  return valuePaths(row).map((id) => {
    const schemas = schemasAt(row, id.split("."));
    const { title, unit, total, marks = {} } = own.get(id) ?? {};
    const decimals = schemas.map(decimalsOf).find((each) => each !== undefined);
    return { id, kind: kindOf(schemas), title, decimals, unit, total, marks };
  });
}

/** The kind of a field with these alternatives, `null` left out. */
function kindOf(schemas: readonly Schema[]): ColumnKind {
  const kinds = new Set(schemas.filter((each) => !(each instanceof z.ZodMiniNull)).map(kindOfSchema));
  const [first = "text"] = kinds;
  return kinds.size > 1 ? "text" : first;
}

function kindOfSchema(schema: Schema): ColumnKind {
  if (isInstant(schema)) return "instant";
  if (schema instanceof z.ZodMiniISODate) return "day";
  if (schema instanceof z.ZodMiniEnum || schema instanceof z.ZodMiniLiteral) return "state";
  if (schema instanceof z.ZodMiniBoolean) return "flag";
  if (schema instanceof z.ZodMiniNumber) return "number";
  return "text";
}

const measured: Mark = { kind: "measured" };
const estimated: Mark = { kind: "estimated" };
const carried: Mark = { kind: "carried" };
const missing: DatasetCell = { value: null, mark: { kind: "missing" } };

/** Reads the cells of rows in a column. */
export type CellReader = (row: unknown) => DatasetCell;

export function cellReader({ id, marks }: Pick<DatasetColumn, "id" | "marks">): CellReader {
  const path = id.split(".");
  const markOf = markReader(marks);
  return (row) => {
    const value = valueAt(row, path);
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? { value, mark: markOf(row) }
      : missing;
  };
}

function markReader(marks: DatasetColumn["marks"]): (row: unknown) => Mark {
  if (Object.keys(marks).length === 0) return () => measured;
  const fieldOf = (path: string | undefined) => {
    const names = path?.split(".");
    return (row: unknown) => names && valueAt(row, names);
  };
  const [known, guessed, moved] = [fieldOf(marks.known), fieldOf(marks.estimated), fieldOf(marks.carried)];
  return (row) => {
    const share = known(row);
    if (typeof share === "number" && share < 1) return { kind: "partial", known: share };
    if (guessed(row)) return estimated;
    return moved(row) ? carried : measured;
  };
}
