import { sheetImports, type SheetImport } from "@metrum/contract/metering";
import { columnsOf, defineList, PhoneRow, type Words } from "#ui/list";
import { formatDateTime } from "#lib/format";
import { Status } from "#ui/status";
import { importHref, stateKinds } from "./imports.ts";

const stateOf = ({ state }: SheetImport, { t }: Pick<Words, "t">) => ({
  kind: stateKinds[state],
  text: t(`sheetImports:state.${state}`),
});

const { text, number, at, status, link } = columnsOf<SheetImport>();

/** Imports that the company keeps, newest first. */
export const importList = defineList({
  call: sheetImports.list,
  texts: ["sheetImports"],
  label: "earlier.title",
  empty: "earlier.empty",
  addressed: ["kind"],
  asks: { freshMs: 0 },
  input: () => ({ body: {} }),
  answer: ({ imports }) => ({ rows: imports }),
  rowKey: ({ id }: SheetImport) => String(id),
  href: importHref,
  columns: [
    link("file", 220, { text: (row) => row.file_name, href: importHref }, { isName: true }),
    status("state", 176, stateOf),
    text("kind", 140, (row, { t }) => t(`kind.${row.kind}`)),
    number("rows", 80, (row) => row.row_count),
    number("made", 88, (row) => row.counts.made),
    number("changed", 96, (row) => row.counts.changed),
    number("refused", 100, (row) => row.counts.refused),
    text("user", 130, (row) => row.user_name, { isQuiet: true }),
    at("created", 134, (row) => row.created_at),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={row.file_name}
      aside={context.t("rows", { count: row.row_count, shown: context.number(row.row_count, 0) })}
      line={
        <>
          <Status kind={stateKinds[row.state]}>{stateOf(row, context).text}</Status>{" "}
          {context.t(`kind.${row.kind}`)}
        </>
      }
      end={formatDateTime(row.created_at, context.zone)}
    />
  ),
});
