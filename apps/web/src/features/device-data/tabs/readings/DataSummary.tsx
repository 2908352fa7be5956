import type { PeriodSummary } from "@metrum/contract/metering";
import type { ResourceKey } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { formatShort, useFormat } from "#lib/format";
import type { DataColumn } from "./dataTable.ts";
import { figuresOf, type Figure } from "./summary.ts";

interface Props {
  readonly columns: readonly DataColumn[];
  readonly summary: PeriodSummary;
  readonly resource: ResourceKey;
  readonly zone: string;
}

/** The strip above the table: sums, maximum, and received share. */
export function DataSummary({ columns, summary, resource, zone }: Props) {
  const { t } = useTranslation("deviceData");
  const { number } = useFormat();
  const { received_share: received, gap_count: gaps } = summary;
  const wording = (figure: Figure): readonly [label: string, value: string, unit: string] => {
    if (figure.kind === "tg") return [t("summary.tg"), number(figure.value, 3), ""];
    const { kind, column, total } = figure;
    switch (kind) {
      case "energy":
        return [t("summary.energy", { name: column.title }), number(total.value, 0), total.unit];
      case "growth":
        return [t("summary.growth"), number(total.value, column.decimals), total.unit];
      case "maximum":
        return [
          t("summary.maximum"),
          number(total.value, 1),
          `${total.unit}, ${formatShort(total.to, zone)}`,
        ];
      case "latest":
        return [column.title, number(total.value, column.decimals), total.unit];
    }
  };
  const figures = figuresOf(columns, summary, resource).map(wording);
  const share: typeof figures = received === null ? [] : [[t("summary.received"), number(received, 1), "%"]];
  return (
    <>
      <dl className="data-summary">
        {[...figures, ...share].map(([label, value, unit]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b>{value}</b> <span>{unit}</span>
            </dd>
          </div>
        ))}
      </dl>
      {gaps > 0 ? <span className="data-gaps">{t("summary.gaps", { count: gaps })}</span> : null}
    </>
  );
}
