import { sheetImports, sheetOutcomes, type ImportedRow, type SheetImport } from "@metrum/contract/metering";
import { columnsOf, defineList, search, segments } from "#ui/list";
import type { GridColumn, GridState } from "#ui/grid";
import { tenseOf } from "./imports.ts";
import { Cell, PhoneLines, stateOf } from "./rowCells.tsx";

type Counts = SheetImport["counts"];

/** A reason in the address: "3.unknown_gateway", or ".device_limit_reached" of whole rows. */
export const reasonKey = ({ column, code }: { readonly column: number | null; readonly code: string }) =>
  `${column === null ? "" : String(column)}.${code}`;

/** The part of the call that filters rows. */
function filterOf({ filters, q }: Pick<GridState, "filters" | "q">) {
  const outcome = sheetOutcomes.find((each) => each === filters["outcome"]?.[0]);
  const [, column, code] = /^(\d*)\.(\w+)$/.exec(filters["reason"]?.[0] ?? "") ?? [];
  return {
    ...(q.trim() === "" ? {} : { search_string: q.trim() }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(code === undefined ? {} : { code, column: column === "" ? null : Number(column) }),
  };
}

const cellId = (at: number): string => `cell${String(at)}`;

/** The columns with the headings of the file, which are no keys of texts. */
export function withHeadings(columns: readonly GridColumn<ImportedRow>[], headers: readonly string[]) {
  const titles = new Map(headers.map((header, at) => [cellId(at), header]));
  return columns.map((column) => ({
    ...column,
    title: titles.get(column.id) ?? column.title,
  }));
}

const { cell, text, status } = columnsOf<ImportedRow>();

/** Rows of an import with the columns of its file that are used. */
export function rowList(imported: SheetImport) {
  const { id, headers, mapping, counts, row_count } = imported;
  const used = headers.flatMap((_, at) => (mapping[at] === null ? [] : [{ at }]));
  return defineList({
    call: sheetImports.rows,
    texts: ["sheetImports"],
    label: "rowsLabel",
    empty: "noRows",
    size: 100,
    sizes: [25, 100, 500, 1000],
    addressed: ["reason"],
    asks: { freshMs: 0 },
    input: (state) => ({ body: { id, page: state.page, per_page: state.size, ...filterOf(state) } }),
    answer: ({ rows: { data, total } }) => ({ rows: data, total }),
    rowKey: ({ row }: ImportedRow) => String(row),
    filters: [
      search("search"),
      segments("outcome", {
        label: "outcome",
        usual: "all",
        options: ({ t, number }) =>
          outcomesOf(counts, row_count).map(({ value, count }) => ({
            value,
            title: `${t(value === "all" ? "all" : `${tenseOf(imported)}.${value}`)} ${number(count, 0)}`,
          })),
      }),
    ],
    columns: [
      text("row", 72, ({ row }) => String(row), { align: "right", isQuiet: true }),
      status("outcome", 144, (row, { t }) => stateOf(row, imported, t)),
      // However many columns the file has, the reason is in sight, and covers none of them.
      cell("reason", 280, {
        value: ({ reason }) => reason,
        cell: ({ reason }) => (
          <span className="sheets-reason" title={reason}>
            {reason === "" ? "—" : reason}
          </span>
        ),
      }),
      ...used.map(({ at }) =>
        cell(
          cellId(at),
          136,
          {
            value: ({ cells }) => cells[at] ?? null,
            cell: (row, { t }) => <Cell row={row} at={at} t={t} />,
          },
          { title: "" },
        ),
      ),
    ],
    phone: (row, context) => <PhoneLines row={row} imported={imported} context={context} />,
  });
}

const outcomesOf = (counts: Counts, all: number) =>
  [
    { value: "all" as const, count: all },
    ...sheetOutcomes.map((value) => ({ value, count: counts[value] })),
  ].filter(({ value, count }) => value === "all" || value === "refused" || count > 0);
