import { profile, unmetPasswordNeeds } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSaving } from "./useSaving.ts";

const fields = ["current_password", "password", "password_confirmation"] as const;
export type PasswordPart = (typeof fields)[number];
export type PasswordDraft = Readonly<Record<PasswordPart, string>>;

const empty: PasswordDraft = { current_password: "", password: "", password_confirmation: "" };

/** A new password while it is typed. `save` answers whether it is changed. */
export function usePasswordDraft(minLength: number) {
  const { t } = useTranslation("profile");
  const [draft, setDraft] = useState(empty);
  const { isSaving, faults, send, setFaults, clear, forget } = useSaving(profile.update, fields);

  const faultsOf = () => ({
    ...(draft.current_password === "" ? { current_password: t("common:dialog.required") } : {}),
    ...(unmetPasswordNeeds(draft.password, minLength).length > 0
      ? { password: t("fault.easy_password") }
      : {}),
    ...(draft.password === draft.password_confirmation
      ? {}
      : { password_confirmation: t("fault.passwords_differ") }),
  });
  const save = async (): Promise<boolean> => {
    const own = faultsOf();
    if (Object.keys(own).length > 0) {
      setFaults(own);
      return false;
    }
    if (!(await send({ body: draft }))) return false;
    setDraft(empty);
    return true;
  };
  return {
    draft,
    faults,
    isSaving,
    isDirty: Object.values(draft).some((each) => each !== ""),
    change: (part: PasswordPart, value: string) => {
      forget(part);
      setDraft((old) => ({ ...old, [part]: value }));
    },
    discard: () => {
      setDraft(empty);
      clear();
    },
    save,
  };
}
