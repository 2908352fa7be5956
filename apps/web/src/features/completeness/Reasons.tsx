import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { StatusGlyph } from "#ui/status";
import { glyphOf, type Totals } from "./completeness.ts";

/** Missing values by reason, most frequent first; the bars compare them with the first. */
export function Reasons({ totals: { reasons } }: { readonly totals: Totals }) {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const [first] = reasons;
  if (!first) return null;
  return (
    <section className="board-card">
      <header>
        <h2>{t("reasons")}</h2>
        <span>{t("values")}</span>
      </header>
      <ul className="board-reasons">
        {reasons.map(({ reason, title, missing }) => (
          <li key={reason}>
            <StatusGlyph {...glyphOf(reason)} />
            <span>{title}</span>
            <b>{number(missing, 0)}</b>
            <meter min={0} max={first.missing} value={missing} aria-hidden="true" />
          </li>
        ))}
      </ul>
    </section>
  );
}
