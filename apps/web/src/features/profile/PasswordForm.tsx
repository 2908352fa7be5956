import { ownSessions } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { refetch } from "#lib/call";
import { useSession } from "#lib/session";
import { SettingsForm } from "#ui/settings";
import { PasswordFields } from "./PasswordFields.tsx";
import { usePasswordDraft } from "./passwordDraft.ts";

export function PasswordForm({ minLength }: { readonly minLength: number }) {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const form = usePasswordDraft(minLength);
  const save = async () => {
    if (await form.save()) await refetch(ownSessions.list, ownSessions.tokens);
  };
  return (
    <SettingsForm
      title={t("password.title")}
      text={t("password.text")}
      isDirty={form.isDirty}
      isSaving={form.isSaving}
      onSave={() => void save()}
      onDiscard={form.discard}
      action={t("password.change")}
      checksEmpty
    >
      <PasswordFields form={form} minLength={minLength} email={user.email} />
    </SettingsForm>
  );
}
