import type { AccountingPoint, PointWhy } from "@metrum/contract/accounting";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatDate, formatDateTime, formatShort, useFormat, withSign } from "#lib/format";
import { monthTitle } from "../monthTitle.ts";
import { meterText, unitTitle } from "../points.ts";
import { linesOf, type WhyEnd, type WhyLine, type WhyPart, type WhyValue } from "./why.ts";

/** The explanation of a number in words, for the panel and for its copy as text. */
export function useWhyWords(why: PointWhy, zone: string) {
  const { t } = useTranslation("accountingPoints");
  const { number, age, language } = useFormat();
  const { values, amounts } = why.decimals;
  const valueText = (value: number) => number(value, values);
  const unit = unitTitle(why.unit, language);
  const measured = why.parts.filter(({ kind }) => kind === "device").length;
  const at = (ts: number) => formatDateTime(ts, zone);

  const partTitle = ({ kind, device_name, deviceID }: WhyPart): string =>
    kind === "device" ? meterText({ name: device_name, deviceID }) : t(`why.part.${kind}`);
  const { readingText, betweenText, lineText, lineValue } = lineWords({ t, valueText, number, age, zone });
  /** Why nothing is counted between two readings. */
  const reasonText = ({ reason, from, to, register_growth }: WhyPart): string | null =>
    reason === null
      ? null
      : t(`why.reason.${reason}`, {
          from: at(from),
          to: at(to),
          growth: register_growth === null ? "—" : valueText(register_growth),
        });
  const period = ({ from, to }: WhyPart) => `${formatShort(from, zone)} – ${formatShort(to, zone)}`;
  const bareAmount = (amount: number | null) => (amount === null ? "—" : number(amount, amounts));
  const amountText = (amount: number | null) => `${bareAmount(amount)} ${unit}`;
  const otherBill = otherBillText(why, { t, amountText });
  const formula = [
    t(`why.formula.${why.formula}`, { count: measured }),
    ...(why.computed_at === null ? [] : [t("why.computed", { at: at(why.computed_at) })]),
    ...(why.billed !== null && otherBill === null
      ? [t("why.billed.same", { version: why.billed.version })]
      : []),
  ].join(" ");
  // What is known belongs to the stored days; while they are behind, the parts already count more.
  const missing = why.is_behind ? 0 : why.length_sec - why.known_sec;
  const completeness =
    missing > 0 ? t("why.partial", { missing: age(missing), length: age(why.length_sec) }) : null;

  return {
    why,
    unit,
    valueText,
    bareAmount,
    formula,
    otherBill,
    completeness,
    estimated: t("why.estimated", { amount: amountText(why.estimated) }),
    monthOf: (month: string) => monthTitle(month, t),
    shortTime: (ts: number) => formatShort(ts, zone),
    at,
    period,
    partTitle,
    reasonText,
    betweenText,
    readingText,
    lineText,
    lineValue,
    asText: (point: AccountingPoint, month: string): string =>
      [
        `${point.name}, ${t("number", { id: point.id })}`,
        `${monthTitle(month, t)}: ${amountText(why.total)}`,
        formula,
        ...(otherBill === null ? [] : [otherBill]),
        ...(why.is_behind ? [t("why.behind")] : []),
        ...(completeness === null ? [] : [completeness]),
        ...why.parts.flatMap((part, index) => [
          `${String(index + 1)}. ${partTitle(part)}, ${period(part)}: ${amountText(part.amount)}`,
          ...[reasonText(part)].flatMap((text) => (text === null ? [] : [`   ${text}`])),
          ...linesOf(part).map((line) => `   ${lineText(line)}  ${lineValue(line)}`),
          ...(part.note === "" ? [] : [`   ${part.note}`]),
        ]),
      ].join("\n"),
  };
}

/** The words of the readings, the growth and the ratio of a part. */
function lineWords({ t, valueText, number, age, zone }: LineFormat) {
  const at = (ts: number) => formatDateTime(ts, zone);
  const readingText = ({ kind, ts, act }: WhyValue): string => {
    const text = t(`why.value.${kind}`, { at: at(ts) });
    return act === "" ? text : t("why.byAct", { text, act });
  };
  /** How far the readings are between which a value was interpolated. */
  const betweenText = ({ around, ts }: WhyEnd): string | null => {
    const [last, next] = around;
    if (!last || !next) return null;
    const nearest = Math.min(ts - last.ts, next.ts - ts);
    return t("why.between", { from: at(last.ts), to: at(next.ts), near: age(nearest) });
  };
  const lineText = (line: WhyLine): string => {
    switch (line.kind) {
      case "end":
      case "start":
        return readingText(line.value);
      case "growth":
        return t("why.growth");
      case "ratio":
        return line.since === null
          ? t("why.ratio", { ratio: line.title })
          : t("why.ratioSince", { ratio: line.title, at: formatDate(line.since, zone) });
    }
  };
  const lineValue = (line: WhyLine): string => {
    switch (line.kind) {
      case "end":
        return valueText(line.value.value);
      case "start":
        return `− ${valueText(line.value.value)}`;
      case "growth":
        return `= ${valueText(line.amount)}`;
      case "ratio":
        return `× ${number(line.ratio)}`;
    }
  };
  return { readingText, betweenText, lineText, lineValue };
}

interface LineFormat extends Pick<ReturnType<typeof useFormat>, "number" | "age"> {
  readonly t: TFunction<"accountingPoints">;
  readonly valueText: (value: number) => string;
  readonly zone: string;
}

/** What is billed of a closed month if its data give another total now. */
function otherBillText(
  { billed, total }: PointWhy,
  words: {
    readonly t: TFunction<"accountingPoints">;
    readonly amountText: (amount: number | null) => string;
  },
): string | null {
  const { t, amountText } = words;
  if (billed === null || billed.amount === total) return null;
  const { version, amount, difference } = billed;
  const first = t("why.billed.other", { version, amount: amountText(amount) });
  if (difference === null) return first;
  const text = withSign(difference, amountText(difference));
  return `${first}. ${t("why.billed.difference", { amount: text })}`;
}

export type WhyWords = ReturnType<typeof useWhyWords>;
