import type { AccountingPoint } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { useAllowed } from "#lib/session";
import { IconButton } from "#ui/button";
import type { Interval } from "./correction.ts";
import { CorrectTieDialog } from "./CorrectTieDialog.tsx";
import { intervalTitle, unitTitle } from "../points.ts";

/** Every meter in words, with its readings; who may tie meters corrects an interval here. */
export function Intervals(props: { readonly point: AccountingPoint; readonly devices: readonly Interval[] }) {
  const { point, devices } = props;
  const { t } = useTranslation("accountingPoints");
  const { number, language } = useFormat();
  const mayCorrect = useAllowed("6:update&(4:read|4:access_all)");
  const [corrected, setCorrected] = useState<Interval | null>(null);
  const zone = point.timezone;
  if (devices.length === 0) return null;
  const reading = (value: number | null, unit: string) =>
    value === null ? t("swap.noReading") : `${number(value, amountDecimals)} ${unitTitle(unit, language)}`;
  return (
    <details className="points-details">
      <summary>{t("history.allMeters", { count: devices.length })}</summary>
      <ul>
        {devices.toReversed().map((each) => (
          <li key={each.id}>
            <b>{intervalTitle(each)}</b>
            <span>
              {formatDateTime(each.from, zone)} ({reading(each.opening_value, each.unit)}) –{" "}
              {each.to === null
                ? t("history.now")
                : `${formatDateTime(each.to, zone)} (${reading(each.closing_value, each.unit)})`}
            </span>
            {mayCorrect ? (
              <IconButton
                icon="edit"
                size="small"
                label={t("correct.open", { device: intervalTitle(each) })}
                onClick={() => setCorrected(each)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {corrected === null ? null : (
        <CorrectTieDialog
          point={point}
          interval={corrected}
          hasNeighbour={devices.length > 1}
          onClose={() => setCorrected(null)}
        />
      )}
    </details>
  );
}
