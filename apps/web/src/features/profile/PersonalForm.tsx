import { profile } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#lib/session";
import { TextField } from "#ui/field";
import { SettingsForm } from "#ui/settings";
import { keepUser } from "./ownUser.ts";
import { useSaving } from "./useSaving.ts";

export function PersonalForm() {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const stored = { name: user.name, phone_number: user.phone_number ?? "" };
  const [draft, setDraft] = useState(stored);
  const { isSaving, faults, send, setFaults, clear } = useSaving(profile.update, ["name", "phone_number"]);
  const save = async () => {
    if (draft.name.trim() === "") {
      setFaults({ name: t("common:dialog.required") });
      return;
    }
    const answer = await send({ body: { ...draft, phone_number: draft.phone_number.trim() || null } });
    if (!answer) return;
    keepUser(answer.user);
    setDraft({ name: answer.user.name, phone_number: answer.user.phone_number ?? "" });
  };
  return (
    <SettingsForm
      title={t("personal.title")}
      isDirty={draft.name !== stored.name || draft.phone_number !== stored.phone_number}
      isSaving={isSaving}
      onSave={() => void save()}
      onDiscard={() => {
        setDraft(stored);
        clear();
      }}
    >
      <TextField
        label={t("personal.name")}
        isRequired
        value={draft.name}
        error={faults["name"]}
        maxLength={255}
        autoComplete="name"
        onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
      />
      <TextField
        label={t("personal.phone")}
        type="tel"
        value={draft.phone_number}
        error={faults["phone_number"]}
        maxLength={20}
        autoComplete="tel"
        onChange={({ currentTarget }) => setDraft({ ...draft, phone_number: currentTarget.value })}
      />
    </SettingsForm>
  );
}
