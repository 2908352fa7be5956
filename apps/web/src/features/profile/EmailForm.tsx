import { profile } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { useSession } from "#lib/session";
import { PasswordField, TextField } from "#ui/field";
import { useForm } from "#ui/form";
import { SettingsForm } from "#ui/settings";
import { keepUser } from "./ownUser.ts";

export function EmailForm() {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const form = useForm({
    stored: { email: user.email, current_password: "" },
    send: (body, options) => exchange(profile.update, { body }, options),
    onSaved: keepUser,
  });
  return (
    <SettingsForm title={t("email.title")} text={t("email.text")} form={form}>
      <TextField
        label={t("email.email")}
        {...form.field("email")}
        type="email"
        inputMode="email"
        autoComplete="username"
      />
      {form.isDirty ? (
        <PasswordField
          label={t("password.current")}
          {...form.field("current_password")}
          isRequired
          autoComplete="current-password"
        />
      ) : null}
    </SettingsForm>
  );
}
