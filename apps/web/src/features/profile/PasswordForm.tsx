import { ownSessions, profile, unmetPasswordNeeds } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { useSession } from "#lib/session";
import { AccountName, PasswordField } from "#ui/field";
import { useForm, type FormState } from "#ui/form";
import { NewPasswordField } from "#ui/passwordNeeds";
import { SettingsForm } from "#ui/settings";
import { useFaultWords } from "./faultWords.ts";

const empty = { current_password: "", password: "", password_confirmation: "" };

/** A new password while it is typed, with the rule of the company. */
export function usePasswordForm(minLength: number, onSaved: () => unknown): FormState<typeof empty> {
  return useForm({
    stored: empty,
    required: ["current_password", "password", "password_confirmation"],
    check: ({ password, password_confirmation }) => ({
      password: unmetPasswordNeeds(password, minLength).length > 0 ? "easy_password" : undefined,
      password_confirmation: password === password_confirmation ? undefined : "passwords_differ",
    }),
    words: useFaultWords(),
    send: (body, options) => exchange(profile.update, { body }, options),
    onSaved,
  });
}

export function PasswordForm({ minLength }: { readonly minLength: number }) {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const form = usePasswordForm(minLength, () => refetch(ownSessions.list, ownSessions.tokens));
  return (
    <SettingsForm
      title={t("password.title")}
      text={t("password.text")}
      form={form}
      action={t("password.change")}
    >
      <PasswordFields form={form} minLength={minLength} email={user.email} />
    </SettingsForm>
  );
}

interface Props {
  readonly form: FormState<typeof empty>;
  readonly minLength: number;
  /** User name under which password managers store the new password. */
  readonly email: string;
}

/** The present password, the new one with a live check of the rule, and its repetition. */
export function PasswordFields({ form, minLength, email }: Props) {
  const { t } = useTranslation("profile");
  return (
    <>
      <AccountName email={email} />
      <PasswordField
        label={t("password.current")}
        {...form.field("current_password")}
        autoComplete="current-password"
      />
      <NewPasswordField label={t("password.new")} minLength={minLength} {...form.field("password")} />
      <PasswordField
        label={t("password.again")}
        {...form.field("password_confirmation")}
        autoComplete="new-password"
      />
    </>
  );
}
