import { completenessBounds } from "@metrum/contract/insight";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import type { Totals } from "./completeness.ts";

interface Props {
  readonly total: number;
  /** Null: too many devices. */
  readonly totals: Totals | null;
  readonly days: number;
}

/** All devices of the filter in one line. */
export function Summary({ total, totals, days }: Props) {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const devices = t("summary.devices", { count: total, shown: number(total, 0) });
  if (!totals) return t("summary.many", { devices, most: number(completenessBounds.totalled, 0) });
  const { received_share, missing } = totals;
  return (
    <>
      {devices}
      {received_share === null ? null : (
        <>
          {" · "}
          <b>{number(received_share, 1)} %</b> {t("summary.days", { count: days })}
          {" · "}
          {t("summary.missing", { count: missing, shown: number(missing, 0) })}
        </>
      )}
    </>
  );
}
