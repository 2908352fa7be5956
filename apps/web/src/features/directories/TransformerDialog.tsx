import { partyBounds } from "@metrum/contract/access";
import { transformerKinds, transformers, type Transformer } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { DateField } from "#ui/dateField";
import { NumberField, Segmented, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { changedFrom } from "./changed.ts";
import { refreshed } from "./directories.ts";

interface Props {
  /** The transformer to change; null adds one. */
  readonly transformer: Transformer | null;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

const values = { decimals: 3, max: partyBounds.transformerValue };

/** Adds or changes a transformer. Kind and values stay while the history of points names it. */
export function TransformerDialog({ transformer, onClose, onSaved }: Props) {
  const { t } = useTranslation("directories");
  const stored = valuesOf(transformer);
  const form = useForm({
    stored,
    required: ["title", "primary_value", "secondary_value"],
    send: (given, options) =>
      transformer
        ? exchange(
            transformers.update,
            { body: { id: transformer.id, ...changedFrom(bodyOf(stored), bodyOf(given)) } },
            options,
          )
        : exchange(transformers.create, { body: bodyOf(given) }, options),
    onSaved: async (reply) => {
      onClose();
      await refetch(...refreshed.transformers);
      onSaved(String(reply.transformer.id));
    },
  });
  const unit = form.values.kind === "current" ? "A" : "V";
  return (
    <FormDialog
      form={form}
      title={transformer ? t("form.edit", { name: transformer.title }) : t("form.add.transformers")}
      size={500}
      action={t(transformer ? "form.save" : "form.create")}
      onClose={onClose}
    >
      <div>
        <Segmented
          name="kind"
          label={t("field.kind")}
          value={form.values.kind}
          options={transformerKinds.map((value) => ({ value, title: t(`kind.${value}`) }))}
          onValue={(kind) => form.set({ kind })}
        />
      </div>
      <TextField
        label={t("field.title")}
        {...form.field("title")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <div className="directories-fields">
        <NumberField
          label={t("field.primary_value")}
          {...form.field("primary_value")}
          {...values}
          unit={t(`unit.${unit}`)}
        />
        <NumberField
          label={t("field.secondary_value")}
          {...form.field("secondary_value")}
          {...values}
          unit={t(`unit.${unit}`)}
        />
        <TextField
          label={t("field.accuracy_class")}
          {...form.field("accuracy_class")}
          maxLength={20}
          autoComplete="off"
        />
        <TextField label={t("field.number")} {...form.field("number")} maxLength={100} autoComplete="off" />
        <DateField label={t("field.verified_at")} {...form.field("verified_at")} />
        <DateField label={t("field.verified_until")} {...form.field("verified_until")} />
      </div>
      {transformer ? <p className="directories-hint">{t("form.ratioHint")}</p> : null}
    </FormDialog>
  );
}

interface Values extends Pick<Transformer, "title" | "kind" | "accuracy_class" | "number"> {
  readonly primary_value: number | null;
  readonly secondary_value: number | null;
  readonly verified_at: string;
  readonly verified_until: string;
}

const none: Values = {
  title: "",
  kind: "current",
  primary_value: null,
  secondary_value: null,
  accuracy_class: "",
  number: "",
  verified_at: "",
  verified_until: "",
};

function valuesOf(transformer: Transformer | null): Values {
  if (!transformer) return none;
  const { title, kind, primary_value, secondary_value, accuracy_class, number } = transformer;
  return {
    ...{ title, kind, primary_value, secondary_value, accuracy_class, number },
    verified_at: transformer.verified_at ?? "",
    verified_until: transformer.verified_until ?? "",
  };
}

/** Required values are there: the form has checked them. */
const bodyOf = (given: Values) => ({
  ...given,
  primary_value: given.primary_value ?? 0,
  secondary_value: given.secondary_value ?? 0,
  verified_at: given.verified_at || null,
  verified_until: given.verified_until || null,
});
