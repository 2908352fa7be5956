import { useTranslation } from "react-i18next";
import { Checkbox, NumberField, PasswordField, SelectField, TextField } from "#ui/field";
import type { FormState } from "#ui/form";
import type { DeviceValues, ShownParts } from "./deviceForm.ts";

interface Props {
  readonly form: FormState<DeviceValues>;
  readonly parts: ShownParts;
  /** Secrets that the device has; they are never shown. */
  readonly stored: readonly string[];
}

/** The fields that depend on the model: its settings, kind, bounds, login and secrets. */
export function ModelFields({ form, parts, stored }: Props) {
  const { t } = useTranslation("deviceForm");
  return (
    <>
      <div className="device-form-pair">
        {parts.settings.map((name) => (
          <NumberField key={name} label={t(`field.${name}`)} hint={t(`hint.${name}`)} {...form.field(name)} />
        ))}
        {parts.hasKind ? (
          <SelectField
            label={t("field.type_water_meter")}
            {...form.field("type_water_meter")}
            options={["0", "1"].map((value) => ({ value, title: t(`kind.${value}`) }))}
          />
        ) : null}
        {parts.hasBounds
          ? (["min_value", "max_value"] as const).map((name) => (
              <NumberField
                key={name}
                label={t(`field.${name}`)}
                hint={t(`hint.${name}`)}
                {...form.field(name)}
              />
            ))
          : null}
        {parts.hasLogin ? (
          <TextField
            label={t("field.login")}
            {...form.field("login")}
            isRequired
            maxLength={64}
            autoComplete="off"
          />
        ) : null}
      </div>
      {parts.secrets.length > 0 ? (
        <fieldset className="device-form-secrets">
          <legend>{t("secrets")}</legend>
          {parts.secrets.map((name) => (
            <Secret key={name} name={name} form={form} isStored={stored.includes(name)} />
          ))}
        </fieldset>
      ) : null}
      <TextField label={t("field.note")} hint={t("hint.note")} {...form.field("note")} maxLength={1000} />
    </>
  );
}

interface SecretProps {
  readonly name: ShownParts["secrets"][number];
  readonly form: FormState<DeviceValues>;
  readonly isStored: boolean;
}

/** A stored secret stays unless it is retyped or removed. */
function Secret({ name, form, isStored }: SecretProps) {
  const { t } = useTranslation("deviceForm");
  const { dropped } = form.values;
  const isDropped = dropped.includes(name);
  const others = dropped.filter((each) => each !== name);
  return (
    <div className="device-form-pair">
      <PasswordField
        label={t(`field.${name}`)}
        hint={t(isStored ? "hint.stored" : "hint.secret")}
        {...form.field(name)}
        autoComplete="new-password"
        maxLength={100}
        disabled={isDropped}
      />
      {isStored ? (
        <Checkbox
          checked={isDropped}
          onChange={() => form.set({ dropped: isDropped ? others : [...others, name], [name]: "" })}
        >
          {t("removeSecret")}
        </Checkbox>
      ) : null}
    </div>
  );
}
