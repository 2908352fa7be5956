import { sheetRights, type SheetImport } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { formatDate, formatDateTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { Button, buttonClass } from "#ui/button";
import { StatusGlyph } from "#ui/status";
import { ErrorFile } from "./ErrorFile.tsx";
import { listHrefs, startHref, stateKinds, type Reason } from "./imports.ts";
import { Outcome } from "./Outcome.tsx";
import { useRun } from "./RehearsalStep.tsx";
import { ChangedSince, useUndo } from "./undo.tsx";
import { Working } from "./Working.tsx";

interface Props {
  readonly imported: SheetImport;
  readonly reasons: readonly Reason[];
}

/** The run, its result, and the way back. */
export function RunStep({ imported, reasons }: Props) {
  const { t } = useTranslation("sheetImports");
  const mayUndo = useAllowed(sheetRights[imported.kind].undoes);
  const { isBusy, run } = useRun(imported);
  const undoing = useUndo(imported);
  const { state, kind } = imported;
  if (state === "running") return <Working imported={imported} />;
  return (
    <>
      <Said imported={imported} />
      {undoing.changed === null ? null : <ChangedSince {...undoing.changed} />}
      <Outcome imported={imported} reasons={reasons} />
      <footer className="sheets-foot">
        <a className={buttonClass({ kind: "link" })} href={startHref(kind)}>
          {t("again")}
        </a>
        <span className="sheets-foot-gap" />
        <ErrorFile imported={imported} />
        {mayUndo && state !== "undone" ? (
          <Button
            isBusy={undoing.isBusy}
            disabled={undoing.isBusy || isBusy}
            onClick={() => void undoing.undo()}
          >
            {t("undo.action")}
          </Button>
        ) : null}
        {state === "interrupted" ? (
          <Button
            kind="primary"
            isBusy={isBusy}
            disabled={isBusy || undoing.isBusy}
            onClick={() => void run()}
          >
            {t("goOn")}
          </Button>
        ) : (
          <a className={buttonClass({ kind: "primary" })} href={listHrefs[kind]}>
            {t(`show.${kind}`)}
          </a>
        )}
      </footer>
    </>
  );
}

/** How the import has ended, in a sentence. */
function Said({ imported }: Pick<Props, "imported">) {
  const { t } = useTranslation("sheetImports");
  const { zone } = useSession();
  const { number } = useFormat();
  const { state, ran_at, undone_at, kept_until, done_count, row_count } = imported;
  return (
    <p className="sheets-said" role="status">
      <StatusGlyph kind={stateKinds[state]} />
      {state === "undone"
        ? t("said.undone", { at: formatDateTime(undone_at ?? 0, zone) })
        : state === "interrupted"
          ? t("said.interrupted", { done: number(done_count, 0), all: number(row_count, 0) })
          : t("said.done", {
              at: formatDateTime(ran_at ?? 0, zone),
              until: formatDate(kept_until, zone),
            })}
    </p>
  );
}
