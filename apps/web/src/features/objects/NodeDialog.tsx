import { objects, objectTypes, type TreeObject } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { NumberField, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { addressOf, addressValues } from "./address.ts";
import { AddressField } from "./AddressField.tsx";
import { addressParts, refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";

interface Props {
  /** The node to change; without it one is added below `parent`. */
  readonly node: TreeObject | null;
  readonly parent: { readonly _id: string; readonly name: string } | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a node. */
export function NodeDialog({ node, parent, onClose, onSaved }: Props) {
  const { t } = useTranslation("objects");
  const form = useForm({
    stored: valuesOf(node),
    required: ["name"],
    send: async (values, options) => {
      if (!isPermitted(node ? objects.update : objects.add)) return undefined;
      const { name, type, ...address } = values;
      const body = { name, type, address: addressOf(address) };
      return node
        ? exchange(objects.update, { body: { ...body, _id: node._id } }, options)
        : exchange(objects.add, { body: { ...body, parent_id: parent?._id ?? null } }, options);
    },
    onSaved: async ({ object }) => {
      onClose();
      await refetch(...refreshed);
      onSaved(object._id);
    },
  });
  const title = node
    ? t("form.edit", { name: node.name })
    : parent
      ? t("form.addBelow", { name: parent.name })
      : t("form.addTop");
  return (
    <FormDialog
      form={form}
      title={title}
      size={500}
      action={t(node ? "form.save" : "form.add")}
      onClose={onClose}
    >
      <TextField
        label={t("form.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <SelectField
        label={t("form.type")}
        {...form.field("type")}
        options={[
          { value: "", title: t("form.noType") },
          ...objectTypes.map((value) => ({ value: value as string, title: t(`type.${value}`) })),
        ]}
      />
      <AddressField field={form.field("unrestricted_value")} values={form.values} onTake={form.set} />
      <div className="objects-parts">
        {addressParts.map((part) => (
          <TextField
            key={part}
            label={t(`part.${part}`)}
            {...form.field(part)}
            maxLength={255}
            autoComplete="off"
          />
        ))}
      </div>
      <div className="objects-parts">
        <NumberField label={t("form.latitude")} {...form.field("latitude")} min={-90} max={90} decimals={6} />
        <NumberField
          label={t("form.longitude")}
          {...form.field("longitude")}
          min={-180}
          max={180}
          decimals={6}
        />
      </div>
    </FormDialog>
  );
}

const valuesOf = (node: TreeObject | null) => ({
  name: node?.name ?? "",
  type: node?.type ?? "",
  ...addressValues(node?.address),
});
