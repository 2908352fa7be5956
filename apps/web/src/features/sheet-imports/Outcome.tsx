import type { SheetOutcome, SheetImport } from "@metrum/contract/metering";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { ListView, useList } from "#ui/list";
import { Status } from "#ui/status";
import { outcomeKinds, tenseOf, type Reason } from "./imports.ts";
import { reasonKey, rowList, withHeadings } from "./rowList.tsx";

interface Props {
  readonly imported: SheetImport;
  readonly reasons: readonly Reason[];
}

const none = {};

/** What happens with the rows: three numbers, why rows are refused, and every row. */
export function Outcome({ imported, reasons }: Props) {
  const shape = useMemo(() => rowList(imported), [imported]);
  const rows = useList(shape, none);
  const { headers } = imported;
  const columns = useMemo(() => withHeadings(rows.columns, headers), [rows.columns, headers]);
  const list = { ...rows, columns };
  const { filters } = list.address.state;
  const [chosen] = filters["reason"] ?? [];
  const choose = (reason: string) =>
    list.address.change({ filters: reason === chosen ? {} : { outcome: ["refused"], reason: [reason] } });
  return (
    <>
      <div className="sheets-counts">
        <Count imported={imported} of="made" />
        <Count imported={imported} of="changed" />
        <Count imported={imported} of="refused" />
        {reasons.length === 0 ? null : <Reasons reasons={reasons} chosen={chosen} onChoose={choose} />}
      </div>
      <ListView list={list} />
    </>
  );
}

function Count({ imported, of }: Pick<Props, "imported"> & { readonly of: Exclude<SheetOutcome, "same"> }) {
  const { t } = useTranslation("sheetImports");
  const { number } = useFormat();
  const { counts } = imported;
  const tense = tenseOf(imported);
  const note = tense === "undone" && of !== "refused" ? "undoneNote" : "note";
  return (
    <section className="sheets-count">
      <b>{number(counts[of], 0)}</b>
      <p>
        <Status kind={outcomeKinds[of]}>{t(`${tense}.${of}`)}</Status>
      </p>
      <small>
        {of === "changed" && counts.same > 0 && tense !== "undone"
          ? t("note.same", { count: counts.same, shown: number(counts.same, 0) })
          : t(`${note}.${of}`)}
      </small>
    </section>
  );
}

interface ReasonsProps extends Pick<Props, "reasons"> {
  readonly chosen: string | undefined;
  readonly onChoose: (reason: string) => void;
}

/** Reasons with their numbers, most frequent first; each one filters the rows. */
function Reasons({ reasons, chosen, onChoose }: ReasonsProps) {
  const { t } = useTranslation("sheetImports");
  const { number } = useFormat();
  const most = reasons[0]?.count ?? 1;
  return (
    <section className="sheets-reasons" aria-label={t("why")}>
      <header>
        <h2>{t("why")}</h2>
        <span>{t("clickToFilter")}</span>
      </header>
      <ul>
        {reasons.map((each) => (
          <li key={reasonKey(each)}>
            <button
              type="button"
              aria-pressed={reasonKey(each) === chosen}
              onClick={() => onChoose(reasonKey(each))}
            >
              <span title={each.text}>{each.text}</span>
              <meter min={0} max={most} value={each.count} aria-hidden="true" />
              <b>{number(each.count, 0)}</b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
