import { sheetImports, type SheetImport } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { exchange, refetch } from "#lib/call";
import { formatDate, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { change } from "#ui/change";
import { ErrorFile } from "./ErrorFile.tsx";
import { importHref, refreshed, type Reason } from "./imports.ts";
import { Outcome } from "./Outcome.tsx";
import { Working } from "./Working.tsx";

interface Props {
  readonly imported: SheetImport;
  readonly reasons: readonly Reason[];
}

/** What would happen with each row; nothing is written before the button is pressed. */
export function RehearsalStep({ imported, reasons }: Props) {
  const { t } = useTranslation("sheetImports");
  const { number } = useFormat();
  const { zone } = useSession();
  const { isBusy, run } = useRun(imported);
  if (imported.state === "rehearsing") return <Working imported={imported} />;
  const { counts, kept_until } = imported;
  const count = counts.made + counts.changed;
  return (
    <>
      <Outcome imported={imported} reasons={reasons} />
      <footer className="sheets-foot">
        <p>{count === 0 ? t("nothingToRun") : t("canUndo", { until: formatDate(kept_until, zone) })}</p>
        <ErrorFile imported={imported} />
        <a className="button button-secondary button-normal" href={`${importHref(imported)}?step=columns`}>
          {t("back")}
        </a>
        <Button kind="primary" isBusy={isBusy} disabled={isBusy || count === 0} onClick={() => void run()}>
          {t("run", { count, shown: number(count, 0) })}
        </Button>
      </footer>
    </>
  );
}

/** Begins to store the rows, or continues after an interruption. */
export function useRun({ id }: SheetImport) {
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    if (!isPermitted(sheetImports.run)) return;
    setBusy(true);
    const isBegun = await change(() => exchange(sheetImports.run, { body: { id } }), { refreshed });
    // Somebody else may have begun it.
    if (!isBegun) await refetch(sheetImports.get);
    setBusy(false);
  };
  return { isBusy, run };
}
