import { useTranslation } from "react-i18next";
import { PasswordField, TextField } from "#ui/field";
import type { FormState } from "#ui/form";

type Typed = FormState<{ readonly email: string; readonly password: string }>;

/** E-mail and password; missing input is reported after the first Enter. */
export function Credentials({ field }: Pick<Typed, "field">) {
  const { t } = useTranslation("auth");
  return (
    <>
      <TextField
        label={t("email")}
        {...field("email")}
        type="email"
        autoComplete="username"
        inputMode="email"
        autoFocus
      />
      <PasswordField label={t("password")} {...field("password")} autoComplete="current-password" />
    </>
  );
}
