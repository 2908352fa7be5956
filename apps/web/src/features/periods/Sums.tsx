import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { amountText, differenceText, typeTitle, unitOf } from "./periods.ts";

interface Row {
  readonly resource_type_id: number;
  readonly points: number;
  readonly amount: number;
  readonly estimated: number;
  readonly difference?: number;
}

/** Sums of main registers by resource. */
export function Sums({ rows }: { readonly rows: readonly Row[] }) {
  const { t } = useTranslation("periods");
  const { number, language } = useFormat();
  return (
    <dl className="period-sums">
      {rows.map(({ resource_type_id: id, points, amount, estimated, difference = 0 }) => (
        <div key={id}>
          <dt>{typeTitle(id, language)}</dt>
          <dd>
            <b>{amountText(amount, number)}</b> {unitOf(id, language)}
          </dd>
          <dd>{t("points", { count: points, shown: number(points, 0) })}</dd>
          {estimated === 0 ? null : <dd>{t("estimatedSum", { amount: amountText(estimated, number) })}</dd>}
          {difference === 0 ? null : (
            <dd className="is-different">
              {t("differenceSum", { amount: differenceText(difference, number) })}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
