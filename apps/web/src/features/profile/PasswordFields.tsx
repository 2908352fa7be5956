import { passwordNeeds, passwordSigns, unmetPasswordNeeds } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { PasswordField } from "#ui/field";
import { StatusGlyph } from "#ui/status";
import type { PasswordPart, usePasswordDraft } from "./passwordDraft.ts";

interface Props {
  readonly form: ReturnType<typeof usePasswordDraft>;
  readonly minLength: number;
}

/** The present password, the new one with the rule ticked off while it is typed, and the new one again. */
export function PasswordFields({ form, minLength }: Props) {
  const { t } = useTranslation("profile");
  const part = (name: PasswordPart, autoComplete: string) => ({
    value: form.draft[name],
    error: form.faults[name],
    isRequired: true,
    autoComplete,
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      form.change(name, currentTarget.value),
  });
  return (
    <>
      <PasswordField label={t("password.current")} {...part("current_password", "current-password")} />
      <PasswordField
        label={t("password.new")}
        hint={<Needs password={form.draft.password} minLength={minLength} />}
        {...part("password", "new-password")}
      />
      <PasswordField label={t("password.again")} {...part("password_confirmation", "new-password")} />
    </>
  );
}

function Needs({ password, minLength }: { readonly password: string; readonly minLength: number }) {
  const { t } = useTranslation("profile");
  const unmet = unmetPasswordNeeds(password, minLength);
  return (
    <ul className="profile-needs">
      {passwordNeeds.map((need) => {
        const isMet = !unmet.includes(need);
        return (
          <li key={need} data-met={isMet ? "" : undefined}>
            <StatusGlyph kind={isMet ? "online" : "off"} />
            {t(`need.${need}`, { min: minLength, signs: passwordSigns })}
            <span className="visually-hidden">{t(isMet ? "need.met" : "need.unmet")}</span>
          </li>
        );
      })}
    </ul>
  );
}
