import { profile } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#lib/session";
import { PasswordField, TextField } from "#ui/field";
import { SettingsForm } from "#ui/settings";
import { keepUser } from "./ownUser.ts";
import { useSaving } from "./useSaving.ts";

const fields = ["email", "current_password"];

export function EmailForm() {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const empty = { email: user.email, current_password: "" };
  const [draft, setDraft] = useState(empty);
  const { isSaving, faults, send, clear, forget } = useSaving(profile.update, fields);
  const isDirty = draft.email !== user.email;
  const save = async () => {
    const answer = await send({ body: draft });
    if (!answer) return;
    keepUser(answer.user);
    setDraft({ email: answer.user.email, current_password: "" });
  };
  return (
    <SettingsForm
      title={t("email.title")}
      text={t("email.text")}
      isDirty={isDirty}
      isSaving={isSaving}
      onSave={() => void save()}
      onDiscard={() => {
        setDraft(empty);
        clear();
      }}
    >
      <TextField
        label={t("email.email")}
        type="email"
        inputMode="email"
        autoComplete="username"
        value={draft.email}
        error={faults["email"]}
        onChange={({ currentTarget }) => {
          forget("email");
          setDraft({ ...draft, email: currentTarget.value });
        }}
      />
      {isDirty ? (
        <PasswordField
          label={t("password.current")}
          isRequired
          autoComplete="current-password"
          value={draft.current_password}
          error={faults["current_password"]}
          onChange={({ currentTarget }) => {
            forget("current_password");
            setDraft({ ...draft, current_password: currentTarget.value });
          }}
        />
      ) : null}
    </SettingsForm>
  );
}
