import { valueAt } from "./fields.ts";

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
