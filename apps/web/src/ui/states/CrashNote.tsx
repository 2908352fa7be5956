import { appVersion } from "@metrum/contract/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { reportError } from "#lib/report";
import { trail } from "#lib/trail";
import { Button } from "#ui/button";
import { Note } from "./States.tsx";

interface Props {
  readonly title: string;
  readonly error: unknown;
  /** Retries without reloading the page. */
  readonly onRetry?: () => void;
}

/** An internal error: the number of its report, possible actions, and details to pass on. */
export function CrashNote({ title, error, onRetry }: Props) {
  const { t } = useTranslation("common");
  const [id, setId] = useState<string | null>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => void reportError(error).then(setId), [error]);
  const copy = () => void navigator.clipboard.writeText(detailsOf(error, id)).then(() => setCopied(true));
  return (
    <Note title={title} text={id === null ? undefined : t("crash.sent", { id })} glyph="alarm" role="alert">
      {onRetry ? (
        <Button kind="primary" icon="refresh" onClick={onRetry}>
          {t("retry")}
        </Button>
      ) : null}
      <Button icon="refresh" kind={onRetry ? "secondary" : "primary"} onClick={() => location.reload()}>
        {t("crash.reload")}
      </Button>
      <Button icon="copy" onClick={copy}>
        {t(isCopied ? "crash.copied" : "crash.copy")}
      </Button>
    </Note>
  );
}

/** Details for support: the error, the version, and the preceding steps. No user input. */
export function detailsOf(error: unknown, id: string | null): string {
  const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const steps = trail().map(({ atMs, what }) => `${String(atMs)} ms  ${what}`);
  return [
    `Metrum ${appVersion}, report ${id ?? "not sent"}`,
    location.hash.split("?")[0],
    thrown,
    ...steps,
  ].join("\n");
}
