import { useTranslation } from "react-i18next";

/** Codes of the server with their own texts here. */
const known = ["easy_password", "common_password", "same_password", "passwords_differ", "unknown_zone"];

export function useFaultWords(): (code: string) => string | undefined {
  const { t } = useTranslation("profile");
  return (code) => (known.includes(code) ? t(`fault.${code}`) : undefined);
}
