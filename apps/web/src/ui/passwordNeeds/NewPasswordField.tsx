import { PasswordField, type PasswordFieldProps } from "#ui/field";
import { PasswordNeeds } from "./PasswordNeeds.tsx";

interface Props extends PasswordFieldProps {
  readonly value: string;
  readonly minLength: number;
}

/**
 * A new password with its rule below, checked while typing, which stays visible when the password is refused.
 */
export function NewPasswordField({ minLength, ...field }: Props) {
  const needs = <PasswordNeeds password={field.value} minLength={minLength} />;
  return (
    <div className="new-password">
      <PasswordField autoComplete="new-password" isRequired {...field} hint={needs} />
      {field.error === undefined ? null : <div className="field-note">{needs}</div>}
    </div>
  );
}
