import { suppliers, supplierSortFields, type Supplier } from "@metrum/contract/access";
import { dayText } from "#ui/dateField";
import { columnsOf, defineList, pageInput, PhoneRow, search } from "#ui/list";
import { entryHref } from "./directories.ts";
import { EntryLink, type ListOwn } from "./EntryLink.tsx";

const { cell, text, number } = columnsOf<Supplier, ListOwn>();

/** Suppliers of the company. */
export const supplierList = defineList({
  call: suppliers.list,
  key: "suppliers",
  texts: ["directories", "grid"],
  label: "tab.suppliers",
  empty: "empty.suppliers",
  found: "found",
  hasChooser: true,
  input: (state) => ({
    body: {
      ...pageInput(state),
      ...(state.sort
        ? { sort_field: supplierSortFields.find((each) => each === state.sort?.field) ?? "name" }
        : {}),
    },
  }),
  answer: ({ suppliers: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: Supplier) => row._id,
  href: ({ _id }) => entryHref("suppliers", _id),
  filters: [search("search.suppliers")],
  columns: [
    cell(
      "name",
      200,
      {
        value: ({ name }) => name,
        cell: ({ _id, name }, own) => <EntryLink kind="suppliers" id={_id} name={name} own={own} />,
      },
      { title: "field.name", isName: true, sort: "name", file: "name" },
    ),
    text("inn", 106, ({ inn }) => inn || null, { title: "field.inn", sort: "inn", file: "inn" }),
    text("contract", 84, ({ number_of_contract }) => number_of_contract || null, {
      title: "field.number_of_contract",
      sort: "number_of_contract",
      file: "number_of_contract",
    }),
    text("email", 190, ({ email }) => email || null, { title: "field.email", sort: "email", file: "email" }),
    text("report", 100, ({ report_date }) => (report_date === null ? null : dayText(report_date)), {
      title: "field.report_date",
      sort: "report_date",
      align: "right",
      file: "report_date",
    }),
    number("points", 74, ({ point_count }) => point_count, { title: "field.points", file: "point_count" }),
  ],
  phone: (row, { t, number: shown }) => (
    <PhoneRow
      title={row.name}
      aside={t("pointCount", { count: row.point_count, shown: shown(row.point_count, 0) })}
      line={[row.number_of_contract, row.email].filter(Boolean).join(" · ")}
      end={row.inn}
    />
  ),
});
