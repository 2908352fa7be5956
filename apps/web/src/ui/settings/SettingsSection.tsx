import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { Form, useUnsaved, type FormFrame } from "#ui/form";
import { snack } from "#ui/snackbar";
import "./settings.css";

interface SectionProps {
  readonly title: string;
  /** One or two sentences below the title. */
  readonly text?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A panel of settings with immediate effect, or read-only. */
export function SettingsSection({ title, text, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className="settings-panel" aria-labelledby={id}>
      <Head id={id} title={title} text={text} actions={actions} />
      {children === undefined ? null : <div className="settings-body">{children}</div>}
    </section>
  );
}

interface FormProps extends SectionProps {
  readonly form: FormFrame;
  /** Label of the button; default "Save". */
  readonly action?: string;
  /** Closes the panel as well. */
  readonly onDiscard?: () => void;
}

/** A panel with its own save button. Leaving with unsaved input asks first. */
export function SettingsForm({ form, title, text, actions, children, action, onDiscard }: FormProps) {
  const { t } = useTranslation("settings");
  const id = useId();
  const { isDirty, isBusy } = form;
  useUnsaved(isDirty && !isBusy);
  const submit = () => {
    if (isDirty || !form.isSound()) void form.submit();
    else snack({ kind: "brief", text: t("nothing") });
  };
  return (
    <Form className="settings-panel" aria-labelledby={id} form={form} onSubmit={submit}>
      <Head id={id} title={title} text={text} actions={actions} />
      <div className="settings-body">{children}</div>
      <footer className="settings-foot">
        <span role="status">{isDirty ? t("unsaved") : null}</span>
        {isDirty ? (
          <Button onClick={onDiscard ?? form.discard} disabled={isBusy}>
            {t("discard")}
          </Button>
        ) : null}
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {action ?? t("save")}
        </Button>
      </footer>
    </Form>
  );
}

function Head({ id, title, text, actions }: Omit<SectionProps, "children"> & { readonly id: string }) {
  return (
    <header className="settings-panel-head">
      <div>
        <h2 id={id}>{title}</h2>
        {text === undefined ? null : <p>{text}</p>}
      </div>
      {actions === undefined ? null : <div className="settings-actions">{actions}</div>}
    </header>
  );
}

/** A line of a panel: label on the left, controls on the right, which wrap together. */
export function SettingsRow(props: {
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="settings-row">
      <div>
        <span>{props.title}</span>
        {props.text === undefined ? null : <small>{props.text}</small>}
      </div>
      {props.children === undefined ? null : <div className="settings-controls">{props.children}</div>}
    </div>
  );
}
