import { useTranslation } from "react-i18next";
import { Checkbox, PasswordField } from "#ui/field";
import type { FormState } from "#ui/form";
import type { DeviceValues, ShownParts } from "./deviceForm.ts";

interface Props {
  readonly name: ShownParts["secrets"][number];
  readonly form: FormState<DeviceValues>;
  /** The device has it; it is never shown. */
  readonly isStored: boolean;
}

/** A stored secret stays unless it is retyped or removed. */
export function SecretField({ name, form, isStored }: Props) {
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
