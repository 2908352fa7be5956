import type { Ctx } from "#core";
import { seenDevice, type ShownDevice } from "./deviceStore.ts";
import type { Cell, Columns, Table } from "./table.ts";

/** Names of the columns of the second device begin with this. */
const prefix = "concat_";

/** The device whose readings stand beside those of another; none that the user does not see. */
export async function besideOf(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  { beside, id }: ShownDevice,
): Promise<ShownDevice | undefined> {
  return beside === null || beside === id ? undefined : seenDevice(db, scope, beside);
}

/**
 * A table with the columns of another device beside its own, under the name of that device. Its rows are those of
 * the first: where the second has none at that time, its values are null. The status of the second stays its own.
 */
export function withBeside(own: Table, second: Table, name: string): Table {
  const times = own.columns["datetime"] ?? [];
  const at = new Map((second.columns["datetime"] ?? []).map((ts, row) => [ts, row]));
  const rows = times.map((ts) => at.get(ts));
  const taken = (column: readonly Cell[]): Cell[] =>
    rows.map((row) => (row === undefined ? null : (column[row] ?? null)));
  const names = second.headers.map((header) => header.name);
  const columns: Columns = { ...own.columns };
  for (const key of ["status", ...names.flatMap((each) => [each, `${each}_status`])]) {
    const column = second.columns[key];
    if (column) columns[`${prefix}${key}`] = taken(column);
  }
  const headers = second.headers.map((header) => ({
    ...header,
    name: `${prefix}${header.name}`,
    title: `${name}, ${header.title}`,
    title_en: `${name}, ${header.title_en}`,
  }));
  return { columns, headers: [...own.headers, ...headers] };
}
