import { sheetImports, type SheetImport } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { ApiError, exchange, refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { confirm } from "#ui/dialog";
import { snack } from "#ui/snackbar";
import { StatusGlyph } from "#ui/status";
import { refreshed } from "./imports.ts";

/** Why an import cannot be undone: the message of the server, and what was changed by number of its row. */
interface Changed {
  readonly msg: string;
  readonly rows: readonly (readonly [row: string, text: string])[];
}

const isChanged = ({ code }: ApiError) => code === "sheet_changed_since";

/** Undoes an import as a whole, after a question. */
export function useUndo({ id, counts }: SheetImport) {
  const { t } = useTranslation("sheetImports");
  const { number } = useFormat();
  const [isBusy, setBusy] = useState(false);
  const [changed, setChanged] = useState<Changed | null>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    setChanged(null);
    try {
      const { msg } = await exchange(sheetImports.undo, { body: { id } }, { isQuiet: isChanged });
      if (msg !== "") snack(msg);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isChanged(error)) setChanged(changedBy(error));
    } finally {
      setBusy(false);
      await refetch(...refreshed);
    }
  };
  const undo = async (): Promise<void> => {
    if (!isPermitted(sheetImports.undo)) return;
    const isSure = await confirm({
      title: t("undo.title"),
      text: t("undo.text", { made: number(counts.made, 0), changed: number(counts.changed, 0) }),
      action: t("undo.action"),
      isHarmful: true,
      size: 450,
    });
    if (isSure) await send();
  };
  return { isBusy, changed, undo };
}

function changedBy({ msg, attributes }: ApiError): Changed {
  return {
    msg: msg ?? "",
    rows: Object.entries(attributes).map(([row, texts]) => [row, texts.join(", ")] as const),
  };
}

/** What was changed since the import: it would be lost. */
export function ChangedSince({ msg, rows }: Changed) {
  const { t } = useTranslation("sheetImports");
  return (
    <section className="sheets-changed" role="alert">
      <p>
        <StatusGlyph kind="alarm" />
        {msg}
      </p>
      <ul>
        {rows.map(([row, text]) => (
          <li key={row}>
            <span>{t("rowOf", { row })}</span> {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
