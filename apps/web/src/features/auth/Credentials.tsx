import { useTranslation } from "react-i18next";
import { PasswordField, TextField } from "#ui/field";

interface Typed {
  readonly email: string;
  readonly password: string;
}

/** E-mail and password; what is missing is said once an Enter has been tried. */
export function Credentials({
  email,
  password,
  isJudged,
  onTyped,
}: Typed & { readonly isJudged: boolean; readonly onTyped: (typed: Typed) => void }) {
  const { t } = useTranslation("auth");
  const required = (value: string) => (isJudged && value.trim() === "" ? t("required") : undefined);
  return (
    <>
      <TextField
        label={t("email")}
        name="email"
        type="email"
        autoComplete="username"
        inputMode="email"
        autoFocus
        isRequired
        value={email}
        error={required(email)}
        onChange={(event) => onTyped({ email: event.currentTarget.value, password })}
      />
      <PasswordField
        label={t("password")}
        name="password"
        autoComplete="current-password"
        isRequired
        value={password}
        error={required(password)}
        onChange={(event) => onTyped({ email, password: event.currentTarget.value })}
      />
    </>
  );
}
