import { amountDecimals } from "@metrum/vocabulary";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import type { Bar } from "./bars.ts";

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

/** The numbers of the bars: what came in, went out and was lost, and what is left of it. */
export const IntervalTable = memo(function IntervalTable({ title, unit, bars }: Props) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const shown = (value: number | null | undefined, decimals = amountDecimals) =>
    value == null ? "—" : number(value, decimals);
  return (
    <details className="balance-intervals">
      <summary>{t("table.show")}</summary>
      <div>
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t("table.interval")}</th>
              <th scope="col">{`${t("in")}, ${unit}`}</th>
              <th scope="col">{`${t("out")}, ${unit}`}</th>
              <th scope="col">{`${t("losses")}, ${unit}`}</th>
              <th scope="col">{`${t("imbalance")}, ${unit}`}</th>
              <th scope="col">%</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, of, sums, isBeyond }) => (
              <tr key={key} data-beyond={isBeyond ? "" : undefined}>
                <th scope="row">{of}</th>
                <td>{shown(sums.in)}</td>
                <td>{shown(sums.out)}</td>
                <td>{shown(sums.losses)}</td>
                <td>{shown(sums.imbalance)}</td>
                <td>{shown(sums.imbalance_percent, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
});
