import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { StatusGlyph } from "#ui/status";
import "./field.css";

export interface FieldTexts {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  /** Conflicting value saved by another user, in words. */
  readonly theirs?: string | undefined;
}

interface Wired {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-required": true | undefined;
}

/** Label above, hint below, error below with its icon; the control gets the ids that link them. */
export function Field(props: FieldTexts & { readonly children: (wired: Wired) => ReactNode }) {
  const { label, hint, isRequired, theirs, children } = props;
  const { t } = useTranslation("common");
  const error =
    props.error ?? (theirs === undefined ? undefined : t("conflict.theirs", { value: theirs || "—" }));
  const id = useId();
  const note = `${id}-note`;
  const hasNote = hint !== undefined || error !== undefined;
  return (
    <div className="field">
      <label htmlFor={id} data-required={isRequired ? "" : undefined}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": hasNote ? note : undefined,
        "aria-invalid": error === undefined ? undefined : true,
        "aria-required": isRequired ? true : undefined,
      })}
      <div id={note} className="field-note">
        {error === undefined ? (
          hint
        ) : (
          <span className="field-error" role="alert">
            <StatusGlyph kind="alarm" />
            {error}
          </span>
        )}
      </div>
    </div>
  );
}
