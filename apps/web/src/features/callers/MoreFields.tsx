import { modelSheets, type ModelSheet } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { NumberField, PasswordField } from "#ui/field";
import type { FormState } from "#ui/form";
import type { Draft } from "./draft.ts";

const forever = { isQuiet: true, freshMs: Number.POSITIVE_INFINITY };

interface Props {
  readonly modelId: string;
  readonly form: FormState<Draft>;
}

/** Optional settings of a model in addition to its address, collapsed: most devices need none. */
export function MoreFields({ modelId, form }: Props) {
  const { t } = useTranslation("callers");
  const [isOpen, setOpen] = useState(false);
  const { data } = useCall(modelSheets.get, { params: { model_id: modelId } }, forever);
  const model = data?.model;
  const isFaulty = settingFields.some((name) => form.field(name).error !== undefined);
  return (
    <details
      className="caller-more"
      open={isOpen || isFaulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t("more")}</summary>
      {model ? (
        <div className="caller-form">
          <SecretFields model={model} form={form} />
          <CountFields model={model} form={form} />
        </div>
      ) : null}
    </details>
  );
}

const secretFields = [
  { name: "password", hint: "passwordHint" },
  { name: "encryption", hint: "keyHint" },
  { name: "authentication", hint: "keyHint" },
] as const;
const countFields = [
  { name: "impulse_weight", min: 0.000_001, max: 1e6 },
  { name: "starting_value", min: 0, max: 1e12 },
  { name: "transformation_ratio", min: 0.000_001, max: 1e6 },
] as const;
const settingFields = [...secretFields, ...countFields, { name: "minutes" } as const].map(({ name }) => name);

type PartProps = Pick<Props, "form"> & { readonly model: ModelSheet };

function SecretFields({ model, form }: PartProps) {
  const { t } = useTranslation("callers");
  return secretFields
    .filter(({ name }) => model.secrets.includes(name))
    .map(({ name, hint }) => (
      <PasswordField
        key={name}
        label={t(name)}
        hint={t(hint)}
        {...form.field(name)}
        maxLength={100}
        autoComplete="new-password"
        spellCheck={false}
      />
    ));
}

function CountFields({ model, form }: PartProps) {
  const { t } = useTranslation("callers");
  return (
    <>
      {countFields
        .filter(({ name }) => model.settings.includes(name))
        .map(({ name, min, max }) => (
          <NumberField
            key={name}
            label={t(name)}
            hint={t(`${name}_hint`)}
            {...form.field(name)}
            min={min}
            max={max}
          />
        ))}
      <NumberField
        label={t("period")}
        hint={t("periodHint")}
        {...form.field("minutes")}
        min={1}
        max={31 * 24 * 60}
        decimals={0}
        unit={t("minutes")}
        onValue={(minutes) => form.set({ minutes: minutes === null ? null : Math.round(minutes) })}
      />
    </>
  );
}
