import type { pointDevices } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { amountDecimals, units, type Language } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { Status } from "#ui/status";
import { unitTitle } from "../points.ts";
import type { useRegisters } from "../registers.tsx";

type Reply = ReplyOf<typeof pointDevices.checkReplacement>;
type Checked = Reply["closing"][number];

interface Props {
  readonly data: Reply | undefined;
  readonly side: "closing" | "opening";
  readonly known: ReturnType<typeof useRegisters>;
  readonly zone: string;
}

const kinds = { ok: "ok", below: "alarm", above: "warn", beyond: "alarm", unknown: "off" } as const;

/** Each entered reading against the polls around it and the load, and the sum of the tariffs, as the server says. */
export function ReadingChecks(props: Props) {
  const { data, side, known } = props;
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  const wordsOf = useWords(props);
  const entered = (data?.[side] ?? []).filter(({ given }) => given !== null);
  if (entered.length === 0) return null;
  const sum = data?.[`${side}_sum`] ?? null;
  const titleOf = (field: string) => {
    const register = known.find(field);
    return register === undefined ? field : known.titleOf(register);
  };
  return (
    <ul className="points-checks" aria-live="polite">
      {sum === null ? null : (
        <li>
          <Status kind={sum.adds_up ? "ok" : "warn"}>
            {t(sum.adds_up ? "tariffs.adds" : "tariffs.differs", {
              parts: sum.parts.map(titleOf).join(" + "),
              total: titleOf(sum.total),
              sum: number(sum.sum, amountDecimals),
              difference: number(Math.abs(sum.difference), amountDecimals),
            })}
          </Status>
        </li>
      )}
      {entered.map((check) => (
        <li key={check.field}>
          <Status kind={kinds[check.verdict]}>{wordsOf(check, titleOf(check.field))}</Status>
        </li>
      ))}
    </ul>
  );
}

/** A reading in words: what it is compared with, and what the load before gives meanwhile. */
function useWords({ data, side, zone }: Props) {
  const { t } = useTranslation("pointReplacement");
  const { number, age, language } = useFormat();
  const shown = (value: number | null) => (value === null ? "" : number(Math.abs(value), amountDecimals));
  const timeOf = (at: number | null) => (at === null ? "" : formatDateTime(at, zone));
  return (check: Checked, register: string): string => {
    const { verdict, expected, last_value, last_at, next_value, next_at } = check;
    const isNext = verdict === "ok" && next_value !== null;
    const unit = unitTitle(check.unit, language);
    const said = {
      register,
      difference: `${shown(isNext ? next_value - (check.given ?? 0) : check.difference)} ${unit}`,
      ...{ last: shown(last_value), at: timeOf(last_at), next: shown(next_value), nextAt: timeOf(next_at) },
    };
    const key = isNext ? "verdict.next" : `verdict.${verdict}`;
    const span = spanOf(data, side, check);
    if (expected === null || span === null || !(isNext || isOfLoad(side, verdict))) return t(key, said);
    return t(`${key}Load`, {
      ...said,
      expected: `${shown(expected)} ${unit}`,
      time: span < 60 ? t("tariffs.seconds", { shown: number(span) }) : age(span),
      load: loadText(data, { number, language, hour: (of) => t("tariffs.hour", { unit: of }) }),
    });
  };
}

/** Whether the verdict of a reading rests on the load since the last poll. */
const isOfLoad = (side: Props["side"], verdict: Checked["verdict"]): boolean =>
  side === "closing" && (verdict === "ok" || verdict === "above");

/** Seconds between a reading and the poll that it is compared with; null without one. */
function spanOf(data: Reply | undefined, side: Props["side"], { last_at, next_at }: Checked): number | null {
  if (data?.load_before == null) return null;
  if (side === "opening") return next_at === null ? null : next_at - data.installed_at;
  return last_at === null ? null : data.removed_at - last_at;
}

interface LoadWords {
  readonly number: (value: number) => string;
  readonly language: Language;
  readonly hour: (unit: string) => string;
}

/** The load of the point before the swap; kWh an hour are kW. */
function loadText(data: Reply | undefined, { number, language, hour }: LoadWords): string {
  const { load_before, unit = "" } = data ?? {};
  const isEnergy = Object.values(units.kWh).includes(unit);
  return `${number(load_before ?? 0)} ${isEnergy ? units.kW[language] : hour(unitTitle(unit, language))}`;
}
