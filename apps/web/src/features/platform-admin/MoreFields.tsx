import { modelSheets, type ModelSheet } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { NumberField, PasswordField } from "#ui/field";
import type { Settings } from "./draft.ts";

const forever = { isQuiet: true, freshMs: Number.POSITIVE_INFINITY };

interface Props {
  readonly modelId: string;
  readonly value: Settings;
  /** What the server has said of a field, by its name in the call. */
  readonly faultOf: (field: string) => string | undefined;
  readonly onChange: (change: Partial<Settings>) => void;
}

/** What a model may need beside its address, folded: most devices are read without. */
export function MoreFields({ modelId, ...rest }: Props) {
  const { t } = useTranslation("admin");
  const [isOpen, setOpen] = useState(false);
  const { data } = useCall(modelSheets.get, { params: { model_id: modelId } }, forever);
  const model = data?.model;
  const isFaulty = fieldNames.some((name) => rest.faultOf(name) !== undefined);
  return (
    <details
      className="platform-more"
      open={isOpen || isFaulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t("inbox.more")}</summary>
      {model ? (
        <div className="platform-form">
          <SecretFields model={model} {...rest} />
          <CountFields model={model} {...rest} />
        </div>
      ) : null}
    </details>
  );
}

const secretFields = [
  { kind: "password", name: "password", hint: "passwordHint" },
  { kind: "encryption", name: "keys.encryption", hint: "keyHint" },
  { kind: "authentication", name: "keys.authentication", hint: "keyHint" },
] as const;
const countFields = [
  { name: "impulse_weight", min: 0.000_001, max: 1e6 },
  { name: "starting_value", min: 0, max: 1e12 },
  { name: "transformation_ratio", min: 0.000_001, max: 1e6 },
] as const;
const period = "report_period_update";
const fieldNames = [...secretFields.map(({ name }) => name), ...countFields.map(({ name }) => name), period];

type PartProps = Omit<Props, "modelId"> & { readonly model: ModelSheet };

function SecretFields({ model, value, faultOf, onChange }: PartProps) {
  const { t } = useTranslation("admin");
  return secretFields
    .filter(({ kind }) => model.secrets.includes(kind))
    .map(({ kind, name, hint }) => (
      <PasswordField
        key={kind}
        label={t(`inbox.${kind}`)}
        hint={t(`inbox.${hint}`)}
        error={faultOf(name)}
        value={value[kind]}
        maxLength={100}
        autoComplete="new-password"
        spellCheck={false}
        onChange={(event) => onChange({ [kind]: event.target.value })}
      />
    ));
}

function CountFields({ model, value, faultOf, onChange }: PartProps) {
  const { t } = useTranslation("admin");
  return (
    <>
      {countFields
        .filter(({ name }) => model.settings.includes(name))
        .map(({ name, min, max }) => (
          <NumberField
            key={name}
            label={t(`inbox.${name}`)}
            hint={t(`inbox.${name}_hint`)}
            error={faultOf(name)}
            value={value[name]}
            min={min}
            max={max}
            onValue={(number) => onChange({ [name]: number })}
          />
        ))}
      <NumberField
        label={t("inbox.period")}
        hint={t("inbox.periodHint")}
        error={faultOf(period)}
        value={value.minutes}
        min={1}
        max={31 * 24 * 60}
        decimals={0}
        unit={t("inbox.minutes")}
        onValue={(minutes) => onChange({ minutes: minutes === null ? null : Math.round(minutes) })}
      />
    </>
  );
}
