import type { Language, Text } from "@metrum/vocabulary";
import { decimalOf, plus, textOf, zero, type Decimal } from "../numbers/decimal.ts";
import { cellReader, type CellReader, type CellValue } from "./columns.ts";
import type { Dataset } from "./dataset.ts";

/** Sum of the known values of a column. */
export interface Total {
  /** Null if none is known: that is not zero. */
  readonly value: number | null;
  /** Values that are wholly known. */
  readonly complete: number;
  readonly of: number;
}

/** What equal rows of a data set add up to. */
export interface TotalLine {
  /** The equal values, by field. */
  readonly by: ReadonlyMap<string, CellValue>;
  /** By column. */
  readonly totals: ReadonlyMap<string, Total>;
}

/** Adds up rows as they pass. */
export interface Totals {
  readonly add: (rows: readonly unknown[]) => void;
  /** In the order in which their first rows came. */
  readonly lines: () => TotalLine[];
}

interface Sum {
  sum: Decimal | undefined;
  complete: number;
  of: number;
}

/** Totals of the columns of a data set that have one; undefined if none has. Holds a line for each kind of rows. */
export function totalsOf({ columns, totalsBy }: Dataset): Totals | undefined {
  const summed = columns
    .filter((column) => column.total === "sum")
    .map((column) => [column.id, cellReader(column)] as const);
  if (totalsBy === undefined || summed.length === 0) return undefined;
  const keys = totalsBy.map((id) => [id, cellReader({ id, marks: {} })] as const);
  const lines = new Map<string, { by: Map<string, CellValue>; sums: Map<string, Sum> }>();
  const lineOf = (row: unknown) => {
    const by = new Map(keys.map(([id, read]) => [id, read(row).value]));
    const key = JSON.stringify([...by.values()]);
    const line = lines.get(key) ?? { by, sums: new Map<string, Sum>() };
    lines.set(key, line);
    return line;
  };
  return {
    add(rows) {
      for (const row of rows) {
        const { sums } = lineOf(row);
        for (const [id, read] of summed) sums.set(id, withCell(sums.get(id), row, read));
      }
    },
    lines: () =>
      [...lines.values()].map(({ by, sums }) => ({
        by,
        totals: new Map(
          [...sums].map(([id, { sum, complete, of }]) => [
            id,
            { value: sum ? Number(textOf(sum)) : null, complete, of },
          ]),
        ),
      })),
  };
}

function withCell(
  { sum, complete, of }: Sum = { sum: undefined, complete: 0, of: 0 },
  row: unknown,
  read: CellReader,
): Sum {
  const { value, mark } = read(row);
  return {
    sum: typeof value === "number" ? plus(sum ?? zero, decimalOf(value)) : sum,
    complete: complete + (mark.kind === "missing" || mark.kind === "partial" ? 0 : 1),
    of: of + 1,
  };
}

const total: Text = { ru: "Итого", en: "Total", mn: "Нийт" };
const incomplete: Text = {
  ru: "неполно, {n} из {m}",
  en: "incomplete, {n} of {m}",
  mn: "бүрэн бус, {m}-аас {n}",
};

/** "Total", or "Total: Consumption incomplete, 3 of 5". */
export function totalText(
  totals: readonly { readonly title: string; readonly total: Total }[],
  language: Language,
): string {
  const lacking = totals
    .filter(({ total: { complete, of } }) => complete < of)
    .map(({ title, total: { complete, of } }) => {
      const words = incomplete[language].replace("{n}", String(complete)).replace("{m}", String(of));
      return `${title} ${words}`;
    });
  return lacking.length === 0 ? total[language] : `${total[language]}: ${lacking.join("; ")}`;
}
