import {
  decimalsOf,
  fieldFault,
  problem,
  type Call,
  type FileColumn,
  type WrongFields,
} from "@metrum/contract/core";
import { z } from "zod/mini";
import type { Cell } from "../sheets/sheet.ts";

/** A page of a list, as its call answers. */
export interface RowPage {
  readonly rows: readonly unknown[];
  /** Rows of the whole list; the answer is the whole list without it. */
  readonly total: number | undefined;
}

/** Takes the rows out of an answer; `path` is that of the call. */
export function rowsOf(data: unknown, path: string): RowPage {
  const names = path.split(".");
  const rows = valueAt(data, names);
  if (!Array.isArray(rows)) throw new Error(`there are no rows at ${path}`);
  const total = valueAt(data, [...names.slice(0, -1), "total"]);
  return { rows: rows as unknown[], total: typeof total === "number" ? total : undefined };
}

type Reader = (row: unknown) => Cell;

/**
 * Functions that read the cells of a row. A column may name only fields that the contract declares: an answer
 * in the process may have more. Problem: wrong_input.
 */
export function readersOf({ reply, rows = "" }: Call, columns: readonly FileColumn[]): Reader[] {
  const row = schemasAt([reply], [...rows.split("."), anyItem]);
  const attributes: WrongFields = Object.fromEntries(
    columns.flatMap(({ of }, at) =>
      of.some((path) => !isField(row, path.split(".")))
        ? [[`file.columns.${String(at)}.of`, [fieldFault("unknown_field")]]]
        : [],
    ),
  );
  if (Object.keys(attributes).length > 0) throw problem("wrong_input", { attributes });
  return columns.map(readerOf);
}

/** Decimals of each column, as its field declares them; undefined of those that hold no amounts. */
export function columnDecimals(
  { reply, rows = "" }: Call,
  columns: readonly FileColumn[],
): (number | undefined)[] {
  const row = schemasAt([reply], [...rows.split("."), anyItem]);
  return columns.map(({ of }) => {
    const declared = of.flatMap((path) => schemasAt(row, path.split(".")).map(decimalsOf));
    return declared.find((each) => each !== undefined);
  });
}

function readerOf({ of, shows, words }: FileColumn): Reader {
  const paths = of.map((path) => path.split("."));
  const known = words && new Map(Object.entries(words));
  const cellOf = (value: unknown): Cell => {
    if (value === null || value === undefined || value === "") return null;
    if (shows === "shares") return Array.isArray(value) ? sharesText(value) : null;
    if (typeof value === "object") return shows === "values" ? valuesText(value) : null;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
    return known?.get(String(value)) ?? (typeof value === "boolean" ? String(value) : value);
  };
  return (row) => {
    for (const path of paths) {
      const cell = cellOf(valueAt(row, path));
      if (cell !== null) return cell;
    }
    return null;
  };
}

/** "100 95 –": whole percentages, rounded down, a dash where there is none. */
function sharesText(shares: readonly unknown[]): string {
  return shares.map((share) => (typeof share === "number" ? String(Math.floor(share * 100)) : "–")).join(" ");
}

/** "tariff1 1234.5; tariff2 –". */
function valuesText(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === "number" ? String(value) : "–"}`)
    .join("; ");
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

type Schema = z.core.$ZodType;
const anyItem = "[]";
/** Any item, or one by its position. */
const isItem = /^(\[\]|\d+)$/;

/** Whether a path ends at a declared value: a text, a number, yes or no, or a list. */
function isField(row: readonly Schema[], path: readonly string[]): boolean {
  return schemasAt(row, path).some((schema) => !(schema instanceof z.ZodMiniObject));
}

/** Declared schemas at a path, through optional and nullable ones and alternatives. */
function schemasAt(schemas: readonly Schema[], path: readonly string[]): Schema[] {
  return path
    .reduce<Schema[]>(
      (found, name) => found.flatMap((schema) => plain(schema).flatMap((each) => below(each, name))),
      [...schemas],
    )
    .flatMap(plain);
}

function below(schema: Schema, name: string): Schema[] {
  if (schema instanceof z.ZodMiniArray) return isItem.test(name) ? [schema.def.element] : [];
  if (!(schema instanceof z.ZodMiniObject)) return [];
  const { catchall, shape } = schema.def;
  if (!Object.hasOwn(shape, name)) return catchall === undefined ? [] : [catchall];
  const found: unknown = (shape as Record<string, unknown>)[name];
  return [found as Schema];
}

function plain(schema: Schema): Schema[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return plain(schema.def.innerType);
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.flatMap(plain);
  return [schema];
}
