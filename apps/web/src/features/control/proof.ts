import i18next from "i18next";
import { askText } from "#ui/dialog";

/** The password of the user, asked for again before a command with great consequences; null when cancelled. */
export async function proofFor(): Promise<{ readonly current_password: string } | null> {
  const password = await askText({
    title: i18next.t("control:proof.title"),
    text: i18next.t("control:proof.text"),
    label: i18next.t("control:proof.password"),
    action: i18next.t("control:proof.action"),
    isRequired: true,
    isSecret: true,
  });
  return password === null ? null : { current_password: password };
}
