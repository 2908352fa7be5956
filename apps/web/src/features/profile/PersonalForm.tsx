import { profile } from "@metrum/contract/access";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { useSession } from "#lib/session";
import { TextField } from "#ui/field";
import { useForm } from "#ui/form";
import { PhoneField } from "#ui/phoneField";
import { SettingsForm } from "#ui/settings";
import { keepUser } from "./ownUser.ts";

export function PersonalForm() {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const form = useForm({
    stored: { name: user.name, phone_number: user.phone_number ?? "" },
    required: ["name"],
    send: ({ name, phone_number }, options) =>
      exchange(profile.update, { body: { name, phone_number: phone_number.trim() || null } }, options),
    onSaved: keepUser,
  });
  return (
    <SettingsForm title={t("personal.title")} form={form}>
      <TextField label={t("personal.name")} {...form.field("name")} maxLength={255} autoComplete="name" />
      <PhoneField label={t("personal.phone")} {...form.field("phone_number")} />
    </SettingsForm>
  );
}
