import type { FormHTMLAttributes, KeyboardEvent, SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { StatusGlyph } from "#ui/status";
import "./form.css";
import type { FormFrame } from "./plan.ts";

interface Props extends Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> {
  readonly form: FormFrame;
  /** Replaces sending at once. */
  readonly onSubmit?: () => void;
}

/**
 * The form element: Enter in a field and Ctrl+Enter anywhere submit it; a field is checked when it is left.
 */
export function Form({ form, onSubmit, children, ...rest }: Props) {
  const send = () => (onSubmit ? onSubmit() : void form.submit());
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      {...rest}
      ref={form.element}
      noValidate
      onSubmit={submit}
      onKeyDown={onKeyDown}
      onBlur={({ target, relatedTarget }) => {
        // Pressing the button checks everything, and it must not move before.
        if (!(relatedTarget instanceof HTMLButtonElement)) form.leave(target.getAttribute("name") ?? "");
      }}
    >
      <Conflict form={form} />
      {children}
    </form>
  );
}

/** Another user has saved meanwhile: their values are shown at the fields that differ. */
export function Conflict({ form }: { readonly form: FormFrame }) {
  const { t } = useTranslation("common");
  if (!form.isConflict) return null;
  return (
    <div className="form-conflict" role="alert">
      <StatusGlyph kind="warn" />
      <p>
        <b>{t("conflict.title")}</b> {t("conflict.text")}
      </p>
      <Button size="small" onClick={form.discard}>
        {t("conflict.take")}
      </Button>
    </div>
  );
}
