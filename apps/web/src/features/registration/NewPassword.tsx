import { useTranslation } from "react-i18next";
import { PasswordField } from "#ui/field";
import { PasswordNeeds } from "#ui/passwordNeeds";
import type { Draft } from "./rules.ts";

type Passwords = Pick<Draft, "password" | "password_confirmation">;

interface Props {
  readonly draft: Passwords;
  readonly minLength: number;
  readonly textOf: (field: keyof Passwords) => string | undefined;
  readonly onChange: (field: keyof Passwords, value: string) => void;
  readonly autoFocus?: boolean;
}

/** A new password and its repetition. The rule stays in sight when the password is refused. */
export function NewPassword({ draft, minLength, textOf, onChange, autoFocus = false }: Props) {
  const { t } = useTranslation("registration");
  const needs = <PasswordNeeds password={draft.password} minLength={minLength} />;
  return (
    <>
      <div>
        <PasswordField
          label={t("password")}
          name="password"
          autoComplete="new-password"
          autoFocus={autoFocus}
          isRequired
          value={draft.password}
          error={textOf("password")}
          hint={needs}
          onChange={(event) => onChange("password", event.currentTarget.value)}
        />
        {textOf("password") === undefined ? null : <div className="field-note">{needs}</div>}
      </div>
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
