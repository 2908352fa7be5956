import { consumers, subjectTypes, type Consumer } from "@metrum/contract/access";
import { columnsOf, choice, defineList, pageInput, PhoneRow, search, yesNo, type Words } from "#ui/list";
import { entryHref } from "./directories.ts";
import { EntryLink, type ListOwn } from "./EntryLink.tsx";

const typeTitle = ({ subject_type_id }: Pick<Consumer, "subject_type_id">, { language }: Words) =>
  subjectTypes.find(({ id }) => id === subject_type_id)?.title[language];
const typeWords = ({ language }: Words) =>
  Object.fromEntries(subjectTypes.map(({ id, title }) => [String(id), title[language]]));
/** The whole record: a phone of a person, or a registration of an organisation. */
const contactOf = ({ phone_number, email }: Consumer) => [phone_number, email].filter(Boolean).join(", ");

const { cell, text, number } = columnsOf<Consumer, ListOwn>();

/** Consumers of the company. */
export const consumerList = defineList({
  call: consumers.list,
  key: "consumers",
  texts: ["directories", "grid"],
  label: "tab.consumers",
  empty: "empty.consumers",
  found: "found",
  hasChooser: true,
  input: (state) => {
    const [type] = state.filters["type"] ?? [];
    return {
      body: {
        ...pageInput(state),
        ...(state.sort ? { sort_field: sortField(state.sort.field) } : {}),
        ...(type === undefined ? {} : { subject_type_id: Number(type) }),
      },
    };
  },
  answer: ({ consumers: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: Consumer) => row._id,
  rowClass: ({ erased_at }) => (erased_at === null ? "" : "is-off"),
  href: ({ _id }) => entryHref("consumers", _id),
  filters: [
    search("search.consumers"),
    choice("type", {
      label: "field.subject_type_id",
      any: "everyType",
      options: ({ language }) =>
        subjectTypes.map(({ id, title }) => ({ value: String(id), title: title[language] })),
    }),
  ],
  columns: [
    cell(
      "name",
      250,
      {
        value: ({ name }) => name,
        cell: ({ _id, name }, own) => <EntryLink kind="consumers" id={_id} name={name} own={own} />,
      },
      { title: "field.name", isName: true, sort: "name", file: "name" },
    ),
    text("type", 134, typeTitle, {
      title: "field.subject_type_id",
      sort: "subject_type_id",
      file: { of: "subject_type_id", words: typeWords },
    }),
    text("inn", 120, ({ inn }) => inn || null, { title: "field.inn", sort: "inn", file: "inn" }),
    text("contract", 120, ({ number_of_contract }) => number_of_contract || null, {
      title: "field.number_of_contract",
      sort: "number_of_contract",
      file: "number_of_contract",
    }),
    number("points", 84, ({ point_count }) => point_count, { title: "field.points", file: "point_count" }),
    text("address", 220, ({ address }) => address || null, {
      title: "field.address",
      sort: "address",
      isOptional: true,
      file: "address",
    }),
    text("contact", 200, (row) => contactOf(row) || null, {
      title: "field.contact",
      isOptional: true,
      file: [
        { of: "phone_number", title: "field.phone_number" },
        { of: "email", title: "field.email" },
        { of: "registration_number", title: "field.registration_number" },
        { of: "registration_date", title: "field.registration_date" },
      ],
    }),
    text(
      "access",
      120,
      ({ account_access_enabled }, { t }) => t(`grid:file.${account_access_enabled ? "yes" : "no"}`),
      {
        title: "field.account_access_enabled",
        isOptional: true,
        file: { of: "account_access_enabled", words: yesNo },
      },
    ),
    text("code", 140, ({ measurement_code_object }) => measurement_code_object || null, {
      title: "field.measurement_code_object",
      isOptional: true,
      file: "measurement_code_object",
    }),
    text("comment", 200, ({ comment }) => comment || null, {
      title: "field.comment",
      isOptional: true,
      file: "comment",
    }),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={row.name}
      aside={context.t("pointCount", { count: row.point_count, shown: context.number(row.point_count, 0) })}
      line={[typeTitle(row, context), row.number_of_contract].filter(Boolean).join(" · ")}
      end={row.inn}
      {...(row.address === "" ? {} : { more: [row.address] })}
    />
  ),
});

const sortFields = ["name", "inn", "number_of_contract", "address", "subject_type_id"] as const;
function sortField(field: string) {
  return sortFields.find((each) => each === field) ?? "name";
}
