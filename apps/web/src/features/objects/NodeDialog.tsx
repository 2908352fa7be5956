import { objects, objectTypes, type ObjectAddress, type TreeObject } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { NumberField, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { addressParts, refreshed } from "./objects.ts";
import { isPermitted } from "./permitted.ts";

interface Props {
  /** The node to change; without it one is added below `parent`. */
  readonly node: TreeObject | null;
  readonly parent: { readonly _id: string; readonly name: string } | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Adds or changes a node. The address is typed by hand: no outside service is needed. */
export function NodeDialog({ node, parent, onClose, onSaved }: Props) {
  const { t } = useTranslation("objects");
  const form = useForm({
    stored: valuesOf(node),
    required: ["name"],
    send: async (values, options) => {
      if (!isPermitted(node ? objects.update : objects.add)) return undefined;
      const body = { name: values.name, type: values.type, address: addressOf(values) };
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
      <TextField
        label={t("form.address")}
        hint={t("form.addressHint")}
        {...form.field("unrestricted_value")}
        maxLength={500}
        autoComplete="off"
      />
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

type Values = ReturnType<typeof valuesOf>;

function valuesOf(node: TreeObject | null) {
  const address = node?.address;
  const of = (part: (typeof addressParts)[number]) => address?.[part] ?? "";
  return {
    name: node?.name ?? "",
    type: node?.type ?? "",
    unrestricted_value: address?.unrestricted_value ?? "",
    country: of("country"),
    region: of("region"),
    area: of("area"),
    city: of("city"),
    settlement: of("settlement"),
    city_district: of("city_district"),
    street: of("street"),
    house: of("house"),
    block: of("block"),
    latitude: address?.coordinates?.[0] ?? null,
    longitude: address?.coordinates?.[1] ?? null,
  };
}

/** Null without any part. Coordinates are complete or absent. */
function addressOf({ name: _, type: __, latitude, longitude, ...texts }: Values): ObjectAddress | null {
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ""));
  const coordinates: [number, number] | null =
    latitude === null || longitude === null ? null : [latitude, longitude];
  if (Object.keys(given).length === 0 && !coordinates) return null;
  return { ...given, ...(coordinates ? { coordinates } : {}) };
}
