import {
  transformerKinds,
  transformers,
  transformerSortFields,
  type Transformer,
} from "@metrum/contract/accounting";
import { dayText } from "#ui/dateField";
import { choice, columnsOf, defineList, pageInput, PhoneRow, search, type Words } from "#ui/list";
import { entryHref } from "./directories.ts";
import { EntryLink, type ListOwn } from "./EntryLink.tsx";

const { cell, text, number } = columnsOf<Transformer, ListOwn>();

const kindWords = ({ t }: Words) =>
  Object.fromEntries(transformerKinds.map((kind) => [kind, t(`kind.${kind}`)]));

/** "200/5 = 40". */
export function ratioText(
  { primary_value, secondary_value, ratio }: Transformer,
  number: Words["number"],
): string {
  return `${number(primary_value)}/${number(secondary_value)} = ${number(ratio)}`;
}

/** Transformers of the company. */
export const transformerList = defineList({
  call: transformers.list,
  key: "transformers",
  texts: ["directories", "grid"],
  label: "tab.transformers",
  empty: "empty.transformers",
  found: "found",
  hasChooser: true,
  input: (state) => {
    const kind = transformerKinds.find((each) => each === state.filters["kind"]?.[0]);
    return {
      body: {
        ...pageInput(state),
        ...(state.sort
          ? { sort_field: transformerSortFields.find((each) => each === state.sort?.field) ?? "title" }
          : {}),
        ...(kind === undefined ? {} : { kind }),
      },
    };
  },
  answer: ({ transformers: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: Transformer) => String(row.id),
  href: ({ id }) => entryHref("transformers", String(id)),
  filters: [
    search("search.transformers"),
    choice("kind", {
      label: "field.kind",
      any: "everyKind",
      options: ({ t }) => transformerKinds.map((value) => ({ value, title: t(`kind.${value}`) })),
    }),
  ],
  columns: [
    cell(
      "title",
      180,
      {
        value: ({ title }) => title,
        cell: ({ id, title }, own) => (
          <EntryLink kind="transformers" id={String(id)} name={title} own={own} />
        ),
      },
      { title: "field.title", isName: true, sort: "title", file: "title" },
    ),
    text("kind", 104, ({ kind }, { t }) => t(`kind.${kind}`), {
      title: "field.kind",
      sort: "kind",
      file: { of: "kind", words: kindWords },
    }),
    text("ratio", 136, (row, context) => ratioText(row, context.number), {
      title: "field.ratio",
      sort: "ratio",
      align: "right",
      file: [
        { of: "primary_value", title: "field.primary_value" },
        { of: "secondary_value", title: "field.secondary_value" },
        { of: "ratio", title: "field.ratio" },
      ],
    }),
    text("number", 104, (row) => row.number || null, {
      title: "field.number",
      sort: "number",
      file: "number",
    }),
    text("until", 104, ({ verified_until }) => (verified_until === null ? null : dayText(verified_until)), {
      title: "field.verified_until",
      sort: "verified_until",
      align: "right",
      file: [
        { of: "verified_at", title: "field.verified_at" },
        { of: "verified_until", title: "field.verified_until" },
      ],
    }),
    number("points", 76, ({ point_count }) => point_count, { title: "field.points", file: "point_count" }),
    text("class", 90, ({ accuracy_class }) => accuracy_class || null, {
      title: "field.accuracy_class",
      sort: "accuracy_class",
      isOptional: true,
      file: "accuracy_class",
    }),
  ],
  phone: (row, context) => (
    <PhoneRow
      title={row.title}
      aside={context.t("pointCount", { count: row.point_count, shown: context.number(row.point_count, 0) })}
      line={[context.t(`kind.${row.kind}`), row.number].filter(Boolean).join(" · ")}
      end={ratioText(row, context.number)}
    />
  ),
});
