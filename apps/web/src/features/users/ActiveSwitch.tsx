import type { Member } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isSureToSwitch, switchMember } from "./switchMember.ts";
import type { UserContext } from "./userColumns.tsx";

/**
 * Whether a user may sign in: shown as pending at once, true only when the server has said so; a refusal puts it back.
 * Switching off ends his sessions, so it asks first.
 */
export function ActiveSwitch({ row, context }: { readonly row: Member; readonly context: UserContext }) {
  const { t } = useTranslation("users");
  const [wanted, setWanted] = useState<boolean | null>(null);
  const isOn = wanted ?? row.is_active;
  const mayChange = context.mayChange && row.is_manageable && row.id !== context.ownId;
  const change = async () => {
    if (!(await isSureToSwitch(row, !isOn, t))) return;
    setWanted(!isOn);
    await switchMember(row, !isOn);
    setWanted(null);
  };
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      checked={isOn}
      aria-label={t("toggleActive", { name: row.name })}
      aria-busy={wanted !== null || undefined}
      disabled={!mayChange || wanted !== null}
      onChange={() => void change()}
    />
  );
}
