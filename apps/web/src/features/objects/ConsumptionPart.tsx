import {
  consumptionPeriods,
  objectConsumption,
  type ConsumptionPeriod,
  type TypeConsumption,
} from "@metrum/contract/accounting";
import { amountDecimals, resourceOfType } from "@metrum/vocabulary";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Recount } from "#accounting-points";
import { reasonOf, useCall } from "#lib/call";
import { useFormat, withSign } from "#lib/format";
import { Segmented } from "#ui/field";
import { ResourceIcon } from "#ui/icon";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import "./consumption.css";
import { HeatPart } from "./HeatPart.tsx";

/** `2026-11-01` as 01.11.2026. */
const dayTitle = (day: string): string => day.split("-").toReversed().join(".");

/** What the points of the branch have consumed, by type, against the same days before; nothing without points. */
export function ConsumptionPart({ id }: { readonly id: string }) {
  const { t } = useTranslation("objects");
  const [period, setPeriod] = useState<ConsumptionPeriod>("month");
  const { data, error, refetch } = useCall(
    objectConsumption.calculate,
    { body: { object_id: id, period } },
    { isQuiet: true, keepsPrevious: true },
  );
  if (data?.types.length === 0 && !data.is_too_large) return null;
  return (
    <section className="objects-consumption" aria-label={t("consumption.title")}>
      <header>
        <h3>{t("consumption.title")}</h3>
        {data ? (
          <small>
            {t("consumption.days", {
              from: dayTitle(data.from_day),
              to: dayTitle(data.to_day),
              beforeFrom: dayTitle(data.before_from_day),
              beforeTo: dayTitle(data.before_to_day),
            })}
          </small>
        ) : null}
        <Suspense>
          <Recount of={{ object_id: id }} />
        </Suspense>
        <Segmented
          name="consumption-period"
          label={t("consumption.period")}
          value={period}
          onValue={setPeriod}
          options={consumptionPeriods.map((value) => ({ value, title: t(`consumption.${value}`) }))}
        />
      </header>
      {error && !data ? (
        <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={110} />
      ) : data.is_too_large ? (
        <p>{t("consumption.tooLarge")}</p>
      ) : (
        <ul>
          {data.types.map((type) => (
            <TypeCard key={type.resource_type_id} type={type} step={data.step} />
          ))}
        </ul>
      )}
      {data?.types.some(({ resource_type_id: type }) => resourceOfType(type).key === "heat") ? (
        <HeatPart id={id} />
      ) : null}
    </section>
  );
}

interface CardProps {
  readonly type: TypeConsumption;
  readonly step: "day" | "month";
}

function TypeCard({ type, step }: CardProps) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const { amount, unit, change_percent: change } = type;
  const isWhole = type.whole_count === type.point_count;
  return (
    <li>
      <p>
        <ResourceIcon resource={resourceOfType(type.resource_type_id).key} /> {type.title}
        <small data-part={isWhole ? undefined : ""}>
          {t("consumption.points", { whole: number(type.whole_count, 0), count: type.point_count })}
        </small>
      </p>
      <p>
        {amount === null ? (
          <span>{t("consumption.unknown")}</span>
        ) : (
          <span>
            <b>{number(Number(amount), amountDecimals)}</b> {unit}
          </span>
        )}
        <small
          title={change === null ? undefined : t("consumption.comparedOver", { count: type.compared_count })}
        >
          {change === null ? "—" : withSign(change, `${number(change, 1)} %`)}
        </small>
      </p>
      <Bars type={type} step={step} />
      {Number(type.estimated) === 0 ? null : (
        <small>
          {t("consumption.estimated", { amount: number(Number(type.estimated), amountDecimals), unit })}
        </small>
      )}
    </li>
  );
}

/** A bar a day or month; what is incomplete is hatched, what is unknown is an empty hatched column. */
function Bars({ type, step }: CardProps) {
  const { t } = useTranslation("objects");
  const { number } = useFormat();
  const { parts, unit, point_count: count } = type;
  const most = Math.max(0, ...parts.map(({ amount }) => Math.abs(Number(amount ?? 0))));
  return (
    <div
      className="objects-bars"
      data-resource={resourceOfType(type.resource_type_id).key}
      role="img"
      aria-label={t(`consumption.by.${step}`, { title: type.title, count: parts.length })}
    >
      {parts.map(({ day, amount, whole_count }) => {
        const when = dayTitle(step === "day" ? day : day.slice(0, 7));
        const known =
          amount === null ? t("consumption.unknown") : `${number(Number(amount), amountDecimals)} ${unit}`;
        const height = amount === null || most === 0 ? 100 : (Math.abs(Number(amount)) / most) * 100;
        return (
          <span
            key={day}
            title={`${when}: ${known}, ${t("consumption.points", { whole: number(whole_count, 0), count })}`}
            data-part={amount !== null && whole_count < count ? "" : undefined}
            data-unknown={amount === null ? "" : undefined}
            style={{ height: `${String(Math.max(3, height))}%` }}
          />
        );
      })}
    </div>
  );
}
