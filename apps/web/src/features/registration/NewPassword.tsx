import { useTranslation } from "react-i18next";
import { ApiError } from "#lib/call";
import { PasswordField } from "#ui/field";
import type { FormState } from "#ui/form";
import { NewPasswordField } from "#ui/passwordNeeds";
import { say } from "#ui/snackbar";

interface Passwords {
  readonly password: string;
  readonly password_confirmation: string;
}

interface Props {
  readonly field: FormState<Passwords>["field"];
  readonly minLength: number;
  readonly autoFocus?: boolean;
}

/** A new password and its repetition. */
export function NewPassword({ field, minLength, autoFocus = false }: Props) {
  const { t } = useTranslation("registration");
  return (
    <>
      <NewPasswordField
        label={t("password")}
        {...field("password")}
        isRequired
        autoFocus={autoFocus}
        minLength={minLength}
      />
      <PasswordField
        label={t("repeat")}
        {...field("password_confirmation")}
        isRequired
        autoComplete="new-password"
      />
    </>
  );
}

/**
 * Unequal passwords are reported only on submit: each field is checked before the other is filled in. Throws
 * ApiError.
 */
export function refuseUnequal({ password, password_confirmation }: Passwords): void {
  if (password === password_confirmation) return;
  const code = "password_not_equal";
  void say(code, {}, "error");
  throw new ApiError({ status: 422, code, msg: null, attributes: { password_confirmation: [code] } });
}
