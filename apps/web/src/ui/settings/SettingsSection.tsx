import { useId, type ReactNode, type SubmitEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { snack } from "#ui/snackbar";
import { useUnsaved } from "./useUnsaved.ts";
import "./settings.css";

interface SectionProps {
  readonly title: string;
  /** One or two sentences below the title. */
  readonly text?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A panel of settings that takes effect at once, or only tells. */
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
  /** Something was entered that is not saved: leaving asks first. */
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  /** What the button does; "Save" without. */
  readonly action?: string;
  /** Pressed with nothing entered, the form says what is missing, instead of that nothing has changed. */
  readonly checksEmpty?: boolean;
}

/** A panel that is saved by its own button. */
export function SettingsForm(props: FormProps) {
  const {
    title,
    text,
    actions,
    children,
    isDirty,
    isSaving,
    onSave,
    onDiscard,
    action,
    checksEmpty = false,
  } = props;
  const { t } = useTranslation("settings");
  const id = useId();
  useUnsaved(isDirty && !isSaving);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSaving) return;
    if (isDirty || checksEmpty) onSave();
    else snack({ kind: "brief", text: t("nothing") });
  };
  return (
    <form className="settings-panel" aria-labelledby={id} onSubmit={submit} noValidate>
      <Head id={id} title={title} text={text} actions={actions} />
      <div className="settings-body">{children}</div>
      <footer className="settings-foot">
        <span role="status">{isDirty ? t("unsaved") : null}</span>
        {isDirty ? (
          <Button onClick={onDiscard} disabled={isSaving}>
            {t("discard")}
          </Button>
        ) : null}
        <Button type="submit" kind="primary" isBusy={isSaving}>
          {action ?? t("save")}
        </Button>
      </footer>
    </form>
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

/** A line of a panel: what it is on the left, the controls on the right, which stay together where the line is too short. */
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
