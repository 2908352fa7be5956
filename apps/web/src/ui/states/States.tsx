import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { StatusGlyph, type StatusKind } from "#ui/status";
import "./states.css";

interface NoteProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly glyph?: StatusKind;
  readonly children?: ReactNode;
  readonly role?: "alert" | "status";
}

/** A sentence instead of the data, with the next step below it. */
export function Note({ title, text, glyph, children, role = "status" }: NoteProps) {
  return (
    <div className="note" role={role}>
      <p className="note-title">
        {glyph === undefined ? null : <StatusGlyph kind={glyph} />}
        {title}
      </p>
      {text === undefined || text === null ? null : <p className="note-text">{text}</p>}
      {children === undefined ? null : <div className="note-actions">{children}</div>}
    </div>
  );
}

/** Never used so far: the purpose of this place, and the next step. */
export function EmptyState(props: Pick<NoteProps, "title" | "text" | "children">) {
  return <Note {...props} />;
}

/** The failure in the words of the server, and a retry button. */
export function ErrorState(props: {
  readonly title: string;
  readonly message?: string | undefined;
  readonly onRetry?: () => void;
}) {
  const { t } = useTranslation("common");
  const { title, message, onRetry } = props;
  return (
    <Note title={title} text={message} glyph="alarm" role="alert">
      {onRetry ? (
        <Button icon="refresh" onClick={onRetry}>
          {t("retry")}
        </Button>
      ) : undefined}
    </Note>
  );
}

/** A missing right: its name, and who can grant it. */
export function DeniedState({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation("common");
  return (
    <Note title={t("denied.title")} text={t("denied.text")} glyph="off">
      {children}
    </Note>
  );
}
