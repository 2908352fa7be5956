import { decimalsOf, fieldFault, problem, type FileColumn, type WrongFields } from "@metrum/contract/core";
import type { Language } from "@metrum/vocabulary";
import { isField, schemasAt, totalText, valueAt, type Dataset, type TotalLine } from "../datasets/index.ts";
import type { Cell } from "../sheets/sheet.ts";

type Reader = (row: unknown) => Cell;

/**
 * Functions that read the cells of a row for a file. A column may name only fields that the contract declares: an
 * answer in the process may have more. Problem: wrong_input.
 */
export function readersOf(dataset: Dataset, columns: readonly FileColumn[]): Reader[] {
  const attributes: WrongFields = Object.fromEntries(
    columns.flatMap(({ of }, at) =>
      of.some((path) => !isField(dataset.row, path.split(".")))
        ? [[`file.columns.${String(at)}.of`, [fieldFault("unknown_field")]]]
        : [],
    ),
  );
  if (Object.keys(attributes).length > 0) throw problem("wrong_input", { attributes });
  return columns.map((column) => readerOf(dataset, column));
}

/** Decimals of each column, as its field declares them; undefined of those that hold no amounts. */
export function columnDecimals({ row }: Dataset, columns: readonly FileColumn[]): (number | undefined)[] {
  return columns.map(({ of }) => {
    const declared = of.flatMap((path) => schemasAt(row, path.split(".")).map(decimalsOf));
    return declared.find((each) => each !== undefined);
  });
}

function readerOf(dataset: Dataset, { of, shows, words }: FileColumn): Reader {
  const known = words && new Map(Object.entries(words));
  const values = of.map((path) => {
    const read = dataset.reader(path);
    const names = path.split(".");
    return read ? (row: unknown) => read(row).value : (row: unknown) => valueAt(row, names);
  });
  const cellOf = (value: unknown): Cell => {
    if (value === null || value === undefined || value === "") return null;
    if (shows === "shares") return Array.isArray(value) ? sharesText(value) : null;
    if (typeof value === "object") return shows === "values" ? valuesText(value) : null;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
    return known?.get(String(value)) ?? (typeof value === "boolean" ? String(value) : value);
  };
  return (row) => {
    for (const read of values) {
      const cell = cellOf(read(row));
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

/**
 * The last lines of a file, if it has columns that are added up: what is added up and to what, and the word "Total" with
 * the columns that are incomplete.
 */
export function totalCells(
  columns: readonly FileColumn[],
  lines: readonly TotalLine[],
  language: Language,
): Cell[][] {
  return lines.map(({ by, totals }) => {
    const shown = columns.flatMap(({ title, of: [id = ""] }) => {
      const total = totals.get(id);
      return total ? [{ title, total }] : [];
    });
    const labelled = columns.findIndex(({ of: [id = ""] }) => !totals.has(id) && !by.has(id));
    const label = totalText(shown, language);
    return columns.map(({ of: [id = ""], words }, at): Cell => {
      if (at === labelled) return label;
      const value = totals.get(id)?.value ?? by.get(id) ?? null;
      return words?.[String(value)] ?? (typeof value === "boolean" ? String(value) : value);
    });
  });
}
