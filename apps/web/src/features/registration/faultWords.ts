import { useTranslation } from "react-i18next";
import type { Fault } from "./rules.ts";

/** Codes of the form and of the server with texts here. */
const known: ReadonlySet<string> = new Set<Fault>([
  "required",
  "fail_email",
  "fail_inn",
  "fail_phone_number",
  "easy_password",
  "fail_password",
  "password_not_equal",
]);

export function useFaultWords(): (code: string) => string | undefined {
  const { t } = useTranslation("registration");
  return (code) => {
    if (!known.has(code)) return undefined;
    return code === "fail_inn" ? t("failInn") : t(`messages:${code}`);
  };
}
