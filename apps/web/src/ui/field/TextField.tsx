import { useState, type InputHTMLAttributes, type ReactNode, type Ref } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import { Field, type FieldTexts } from "./Field.tsx";
import "./field.css";

export interface TextFieldProps
  extends FieldTexts, Omit<InputHTMLAttributes<HTMLInputElement>, "size" | "className" | "required"> {
  readonly ref?: Ref<HTMLInputElement>;
  /** Inside the field, after the value. */
  readonly unit?: ReactNode;
  readonly onValue?: (value: string) => void;
}

export function TextField({
  label,
  hint,
  error,
  isRequired,
  theirs,
  unit,
  onValue,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, theirs }} {...(isRequired ? { isRequired } : {})}>
      {(wired) => (
        <span className="input">
          <input
            type="text"
            onChange={(event) => onValue?.(event.currentTarget.value)}
            {...input}
            {...wired}
          />
          {unit === undefined ? null : <span className="input-unit">{unit}</span>}
        </span>
      )}
    </Field>
  );
}

export type PasswordFieldProps = Omit<TextFieldProps, "unit" | "type">;

/** A password field that can show its text, and warns about Caps Lock. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, hint, error, isRequired, theirs: _, onValue, ...input } = props;
  const { t } = useTranslation("common");
  const [isShown, setShown] = useState(false);
  const [isCapsLock, setCapsLock] = useState(false);
  const caps = isCapsLock ? (
    <span className="field-warning" role="status">
      <StatusGlyph kind="warn" />
      {t("field.capsLock")}
    </span>
  ) : undefined;
  return (
    <Field label={label} hint={caps ?? hint} error={error} {...(isRequired ? { isRequired } : {})}>
      {(wired) => (
        <span className="input">
          <input
            onChange={(event) => onValue?.(event.currentTarget.value)}
            {...input}
            {...wired}
            type={isShown ? "text" : "password"}
            onKeyUp={(event) => setCapsLock(event.getModifierState("CapsLock"))}
            onBlur={(event) => {
              setCapsLock(false);
              input.onBlur?.(event);
            }}
          />
          <button
            type="button"
            className="input-button"
            aria-pressed={isShown}
            aria-label={t(isShown ? "field.hidePassword" : "field.showPassword")}
            title={t(isShown ? "field.hidePassword" : "field.showPassword")}
            onClick={() => setShown(!isShown)}
          >
            <Icon name={isShown ? "eyeOff" : "eye"} />
          </button>
        </span>
      )}
    </Field>
  );
}
