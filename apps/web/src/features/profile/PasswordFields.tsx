import { useTranslation } from "react-i18next";
import { AccountName, PasswordField } from "#ui/field";
import { NewPasswordField } from "#ui/passwordNeeds";
import type { PasswordPart, usePasswordDraft } from "./passwordDraft.ts";

interface Props {
  readonly form: ReturnType<typeof usePasswordDraft>;
  readonly minLength: number;
  /** Under which address password managers keep the new password. */
  readonly email: string;
}

/** The present password, the new one with the rule ticked off while it is typed, and the new one again. */
export function PasswordFields({ form, minLength, email }: Props) {
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
      <AccountName email={email} />
      <PasswordField label={t("password.current")} {...part("current_password", "current-password")} />
      <NewPasswordField
        label={t("password.new")}
        minLength={minLength}
        {...part("password", "new-password")}
      />
      <PasswordField label={t("password.again")} {...part("password_confirmation", "new-password")} />
    </>
  );
}
