import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { amountText, differenceText, typeTitle, unitOf } from "./periods.ts";

interface Row {
  readonly resource_type_id: number;
  readonly points: number;
  readonly amount: number;
  readonly estimated: number;
  readonly loss: number;
  readonly difference?: number;
  readonly loss_difference?: number;
}

/** Sums of main registers by resource. */
export function Sums({ rows }: { readonly rows: readonly Row[] }) {
  const { t } = useTranslation("periods");
  const { number, language } = useFormat();
  return (
    <dl className="period-sums">
      {rows.map(({ resource_type_id: id, points, amount, estimated, loss, ...row }) => (
        <div key={id}>
          <dt>{typeTitle(id, language)}</dt>
          <dd>
            <b>{amountText(amount, number)}</b> {unitOf(id, language)}
          </dd>
          <dd>{t("points", { count: points, shown: number(points, 0) })}</dd>
          {estimated === 0 ? null : <dd>{t("estimatedSum", { amount: amountText(estimated, number) })}</dd>}
          {loss === 0 ? null : <dd>{t("lossSum", { amount: amountText(loss, number) })}</dd>}
          <Difference words="differenceSum" of={row.difference} />
          <Difference words="lossDifferenceSum" of={row.loss_difference} />
        </div>
      ))}
    </dl>
  );
}

function Difference({
  words,
  of = 0,
}: {
  readonly words: "differenceSum" | "lossDifferenceSum";
  readonly of?: number | undefined;
}) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  if (of === 0) return null;
  return <dd className="is-different">{t(words, { amount: differenceText(of, number) })}</dd>;
}
