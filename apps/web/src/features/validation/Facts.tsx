import type { OpenedException } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatShort, formatTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { DeviceLink, pointCardHref } from "#lib/screen";
import { StatusGlyph, type StatusKind } from "#ui/status";

const glyphs: Readonly<Record<OpenedException["evidence"][number]["state"], StatusKind>> = {
  ok: "ok",
  warn: "warn",
  info: "off",
};

/** Rule, values, point and meter, and what else speaks for or against the values. */
export function Facts({ opened }: { readonly opened: OpenedException }) {
  const { t } = useTranslation("validation");
  const { number } = useFormat();
  const { zone } = useSession();
  const { exception, facts, limit, unit, decimals, evidence, steps } = opened;
  const measured = (value: number) => `${number(value, decimals)} ${unit}`;
  const usual = facts.usual === null ? null : measured(facts.usual);
  const lines: (readonly [string, React.ReactNode])[] = [
    ["rule", limit],
    [
      "values",
      `${formatShort(exception.startDate, opened.zone)} – ${formatShort(exception.stopDate, opened.zone)}, ${number(exception.values, 0)}`,
    ],
    ...(facts.highest === null ? [] : [["highest", measured(facts.highest)] as const]),
    ...(usual === null
      ? []
      : [
          [
            "usual",
            facts.limit === null ? usual : t("facts.usualLimit", { usual, limit: measured(facts.limit) }),
          ] as const,
        ]),
    ["times", t("facts.inDays", { count: facts.in_30_days })],
  ];
  const things: (readonly [string, React.ReactNode])[] = [
    ...(facts.consumer ? [["consumer", facts.consumer.name] as const] : []),
    ...(exception.point_id === null
      ? []
      : [["point", <a href={pointCardHref(exception.point_id, null)}>{exception.point_name}</a>] as const]),
    ["meter", <DeviceLink id={exception.device_id}>{exception.device_name}</DeviceLink>],
    ["ratio", number(facts.ratio)],
    ...(facts.clock_offset === null
      ? []
      : [["clock", t("facts.offset", { offset: number(facts.clock_offset) })] as const]),
  ];
  return (
    <>
      <Lines lines={lines} />
      <Lines lines={things} />
      <section className="inbox-evidence">
        <h3>{t("evidence")}</h3>
        <ul>
          {evidence.map(({ state, text }) => (
            <li key={text}>
              <StatusGlyph kind={glyphs[state]} /> {text}
            </li>
          ))}
        </ul>
      </section>
      {steps.length > 0 ? (
        <section className="inbox-evidence">
          <h3>{t("steps")}</h3>
          <ul>
            {steps.map(({ at, by, action, text }, index) => (
              <li key={`${String(at)} ${String(index)}`}>
                <time title={formatDateTime(at, zone)}>{formatTime(at, zone)}</time> {t(`step.${action}`)}
                {by === null ? "" : `, ${by}`}
                {action === "comment" ? `: ${text}` : ""}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly (readonly [string, React.ReactNode])[] }) {
  const { t } = useTranslation("validation");
  return (
    <dl className="inbox-facts">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`facts.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
