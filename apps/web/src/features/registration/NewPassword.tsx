import { useTranslation } from "react-i18next";
import { PasswordField } from "#ui/field";
import { NewPasswordField } from "#ui/passwordNeeds";
import type { Draft } from "./rules.ts";

type Passwords = Pick<Draft, "password" | "password_confirmation">;

interface Props {
  readonly draft: Passwords;
  readonly minLength: number;
  readonly textOf: (field: keyof Passwords) => string | undefined;
  readonly onChange: (field: keyof Passwords, value: string) => void;
  readonly autoFocus?: boolean;
}

/** A new password and its repetition. */
export function NewPassword({ draft, minLength, textOf, onChange, autoFocus = false }: Props) {
  const { t } = useTranslation("registration");
  return (
    <>
      <NewPasswordField
        label={t("password")}
        name="password"
        autoFocus={autoFocus}
        minLength={minLength}
        value={draft.password}
        error={textOf("password")}
        onChange={(event) => onChange("password", event.currentTarget.value)}
      />
      <PasswordField
        label={t("repeat")}
        name="password_confirmation"
        autoComplete="new-password"
        isRequired
        value={draft.password_confirmation}
        error={textOf("password_confirmation")}
        onChange={(event) => onChange("password_confirmation", event.currentTarget.value)}
      />
    </>
  );
}
