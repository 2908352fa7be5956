import { units, type ResourceKey, type UnitKey } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { formatShort, useFormat } from "#lib/format";
import type { DataTable } from "./dataTable.ts";
import { figuresOf, type Figure } from "./summary.ts";

interface Props {
  readonly table: DataTable;
  readonly stepSec: number | null;
  readonly resource: ResourceKey;
  readonly zone: string;
  readonly received: number | null;
  readonly gaps: number;
}

/** The strip above the table: sums, the highest value, and how much of what should have come did. */
export function DataSummary({ table, stepSec, resource, zone, received, gaps }: Props) {
  const { t } = useTranslation("deviceData");
  const { number, language } = useFormat();
  const unitOf = (unit: UnitKey) => units[unit][language];
  const wording = (figure: Figure): readonly [label: string, value: string, unit: string] => {
    switch (figure.kind) {
      case "energy":
        return [
          t("summary.energy", { name: figure.column.title }),
          number(figure.value, 0),
          unitOf(figure.unit),
        ];
      case "growth":
        return [t("summary.growth"), number(figure.value, figure.column.decimals), figure.column.unit];
      case "maximum":
        return [
          t("summary.maximum"),
          number(figure.value, 1),
          `${figure.column.unit}, ${formatShort(figure.at, zone)}`,
        ];
      case "latest":
        return [figure.column.title, number(figure.value, figure.column.decimals), figure.column.unit];
      case "tg":
        return [t("summary.tg"), number(figure.value, 3), ""];
    }
  };
  const figures = figuresOf(table, stepSec, resource).map(wording);
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
