import { pointHistory, voltageLevels, type AccountingPoint } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDate, formatDateTime, formatOffset, useFormat, useNow } from "#lib/format";
import { DeviceLink } from "#lib/screen";
import { addressText } from "../pointAddress.ts";
import { unitTitle } from "../points.ts";
import { typeTitle } from "../typeTitle.ts";

/** What holds for the point now. */
export function PointFacts({ point }: { readonly point: AccountingPoint }) {
  const facts = useFacts(point);
  return (
    <dl className="points-facts">
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const dash = "—";

function useFacts(point: AccountingPoint): readonly (readonly [string, ReactNode])[] {
  const { t } = useTranslation("accountingPoints");
  const { number, language } = useFormat();
  const now = useNow();
  const unit = unitTitle(point.unit, language);
  const level = voltageLevels.find(({ id }) => id === point.voltage_level_id)?.title[language];
  const type = typeTitle(point, t);
  const { device, last_reading: last, standard } = point;
  const standards = (["hour", "day", "month"] as const).flatMap((part) => {
    const value = standard?.[part] ?? null;
    return value === null ? [] : [t(`fact.standardOf.${part}`, { value: number(value), unit })];
  });
  return [
    [t("fact.resource"), level === undefined ? type : `${type}, ${level}`],
    [
      t("fact.device"),
      device === null ? t("fact.noDevice") : <DeviceLink id={device.id}>{nameOf(device)}</DeviceLink>,
    ],
    [
      t("fact.last"),
      last === null
        ? dash
        : `${number(last.value, amountDecimals)} ${unitTitle(last.unit, language)}, ${formatDateTime(last.ts, point.timezone)}`,
    ],
    [t("fact.address"), addressText(point)],
    [t("fact.ratio"), <Ratio key="ratio" point={point} />],
    [t("fact.standard"), standards.length === 0 ? dash : standards.join(", ")],
    [t("fact.consumer"), point.consumer?.name ?? dash],
    ...(point.resource_type_id === 3
      ? [
          [
            t("fact.contractPower"),
            point.contract_power === null
              ? dash
              : `${number(point.contract_power)} ${unitTitle("kW", language)}`,
          ] as const,
        ]
      : []),
    [t("fact.verified"), <VerifiedUntil key="verified" point={point} />],
    [t("fact.supplier"), point.supplier?.name ?? dash],
    [t("fact.loss"), point.loss_factor === null ? dash : `${number(point.loss_factor * 100)} %`],
    [
      t("fact.zone"),
      `${formatOffset(now, point.timezone)}, ${point.timezone}, ${t(point.has_own_zone ? "fact.ownZone" : "fact.zoneOfCompany")}`,
    ],
  ];
}

const nameOf = ({ model_title, name, deviceID }: NonNullable<AccountingPoint["device"]>) =>
  `${model_title === "" ? name : model_title}${deviceID === "" ? "" : ` №${deviceID}`}`;

/** The ratio now and what it comes from: transformers, the point, or the device. */
function Ratio({ point }: { readonly point: AccountingPoint }) {
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const ratio = number(point.transformation_ratio);
  const titles = [point.current_transformer, point.voltage_transformer].flatMap((each) => each?.title ?? []);
  if (point.ratio_source === "transformers")
    return t("fact.ratioOf.transformers", { ratio, titles: titles.join(", ") });
  return t(`fact.ratioOf.${point.ratio_source}`, { ratio });
}

/** Day until which the last verification holds. */
function VerifiedUntil({ point }: { readonly point: AccountingPoint }) {
  const { data } = useCall(
    pointHistory.history,
    { body: { accounting_point_id: point.id } },
    { isQuiet: true, freshMs: 10_000 },
  );
  const last = data?.events.findLast(({ kind }) => kind === "verified");
  const until = last?.details["verified_until"];
  return typeof until === "number" ? formatDate(until, point.timezone) : dash;
}
