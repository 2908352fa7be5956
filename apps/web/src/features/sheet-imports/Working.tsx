import type { SheetImport } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";

/** Progress of a step that goes on without the page. */
export function Working({ imported }: { readonly imported: SheetImport }) {
  const { t } = useTranslation("sheetImports");
  const { number } = useFormat();
  const { state, done_count: done, row_count: all } = imported;
  const title = t(`state.${state}`);
  return (
    <section className="sheets-working" aria-label={title}>
      <h2>{title}</h2>
      <progress aria-label={title} max={all} value={done} />
      <p>{t("progress", { count: all, done: number(done, 0), all: number(all, 0) })}</p>
      <p>{t("goesOn")}</p>
    </section>
  );
}
