import { objects, objectTypes, type TreeObject } from "@metrum/contract/accounting";
import { refetch } from "#lib/call";
import { defineRecord, RecordDialog, rowsOf } from "#ui/record";
import { addressOf, addressValues } from "./address.ts";
import { AddressField } from "./AddressField.tsx";
import { addressParts, refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";

interface Given {
  readonly parent: { readonly _id: string; readonly name: string } | null;
}

interface Props extends Given {
  /** The node to change; without it one is added below `parent`. */
  readonly node: TreeObject | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a node. */
export const NodeDialog = ({ node, parent, onClose, onSaved }: Props) => (
  <RecordDialog
    form={nodeForm}
    record={node}
    given={{ parent }}
    onClose={onClose}
    onSaved={({ object }) => onSaved(object._id)}
  />
);

type Values = ReturnType<typeof valuesOf>;
const { text, number, select, own, group } = rowsOf<Values, Given>();

const nodeForm = defineRecord<TreeObject, Values, Given>()({
  texts: ["objects"],
  titles: "form",
  size: 500,
  title: (of, t, { parent }) =>
    of
      ? t("form.edit", { name: of.name })
      : parent
        ? t("form.addBelow", { name: parent.name })
        : t("form.addTop"),
  action: ["form.add", "form.save"],
  values: valuesOf,
  required: ["name"],
  rows: [
    text("name", { most: 255, isFirst: true }),
    select("type", ({ t }) => [
      { of: "", title: t("form.noType") },
      ...objectTypes.map((of) => ({ of, title: t(`type.${of}`) })),
    ]),
    own("unrestricted_value", ({ label: _, hint: __, ...field }, { values, set }) => (
      <AddressField field={field} values={values} onTake={set} />
    )),
    group("objects-parts", ...addressParts.map((part) => text(part, { most: 255, title: `part.${part}` }))),
    group(
      "objects-parts",
      number("latitude", { min: -90, max: 90, decimals: 6 }),
      number("longitude", { min: -180, max: 180, decimals: 6 }),
    ),
  ],
  isPermitted,
  body: ({ name, type, ...address }) => ({ name, type, address: addressOf(address) }),
  add: (body, ask, { parent }) => ask(objects.add, { body: { ...body, parent_id: parent?._id ?? null } }),
  change: ({ _id }, changed, ask) => ask(objects.update, { body: { ...changed, _id } }),
  refresh: () => refetch(...refreshed),
});

function valuesOf(node: TreeObject | null) {
  return { name: node?.name ?? "", type: node?.type ?? "", ...addressValues(node?.address) };
}
