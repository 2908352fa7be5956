import { pointDevices } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Skeleton } from "#ui/skeleton";
import { Status } from "#ui/status";
import type { CorrectionInput } from "./correction.ts";
import { monthTitle } from "../monthTitle.ts";
import { unitTitle } from "../points.ts";
import { useQuiet } from "../useQuiet.ts";

/** The months of the point before and after a correction, as the server computes both now. */
export function CorrectionOutcome(props: {
  readonly pointId: number;
  readonly input: CorrectionInput | null;
}) {
  const { pointId } = props;
  const { t } = useTranslation("accountingPoints");
  const { number, language } = useFormat();
  const { value: input, isOld } = useQuiet(props.input);
  const { data, error } = useCall(
    pointDevices.checkCorrection,
    { body: input ?? { accounting_point_id: pointId, tie_number: 1 } },
    { isQuiet: true, keepsPrevious: true, isEnabled: input !== null },
  );
  if (input === null) return <p className="quiet">{t("correct.nothing")}</p>;
  if (error)
    return (
      <div role="alert">
        <Status kind="alarm">{reasonOf(error)}</Status>
      </div>
    );
  if (!data) return <Skeleton height={80} />;
  const unit = unitTitle(data.unit, language);
  const amount = (value: number | null) =>
    value === null ? "—" : `${number(value, amountDecimals)} ${unit}`;
  const meterless = (all: typeof data.meterless_before) =>
    all.length === 0 ? "—" : all.map((each) => amount(each.amount)).join(" + ");
  const isCounted = data.meterless_before.length + data.meterless_after.length > 0;
  return (
    <div className="points-correct-months" aria-live="polite" aria-busy={isOld || undefined}>
      {data.is_too_long ? <Status kind="warn">{t("correct.tooLong")}</Status> : null}
      <table>
        <caption>{t("correct.months")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("correct.month")}</th>
            <th scope="col">{t("correct.before")}</th>
            <th scope="col">{t("correct.after")}</th>
          </tr>
        </thead>
        <tbody>
          {data.months.map(({ month, before, after }) => (
            <tr key={month} data-changed={before === after ? undefined : ""}>
              <th scope="row">{monthTitle(month, t)}</th>
              <td>{amount(before)}</td>
              <td>{amount(after)}</td>
            </tr>
          ))}
          {isCounted ? (
            <tr>
              <th scope="row">{t("correct.ofMeterless")}</th>
              <td>{meterless(data.meterless_before)}</td>
              <td>{meterless(data.meterless_after)}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}
