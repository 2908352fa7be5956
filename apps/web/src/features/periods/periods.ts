import { periods, type PeriodState, type SettlementPeriod } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { amountDecimals, storedDecimals, pointTypeOf, units, type Language } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { formatDate, withSign } from "#lib/format";
import type { StatusKind } from "#ui/status";

/** Answers that show periods. */
export const refreshed: readonly Call[] = [periods.list, periods.get, periods.preview];

export const listHref = "#/cloud/objects/periods";
export const closeHref = (month: string): string => `${listHref}/close/${month}`;
export const exceptionsHref = (month: string): string => `#/cloud/objects/validation?month=${month}`;

/** A stored period opens its versions, any other month what a closing would store. */
export const hrefOf = ({ id, state, month }: Pick<SettlementPeriod, "id" | "state" | "month">): string =>
  id === null || state === "open" || state === "running" ? closeHref(month) : `${listHref}/${String(id)}`;

/** `November 2026`; browsers know no Mongolian names of months. */
export function monthTitle(month: string, t: TFunction): string {
  const [year = "", number = ""] = month.split("-");
  return t("common:calendar.title", { month: t(`common:calendar.month.${String(Number(number))}`), year });
}

export const stateKinds: Readonly<Record<PeriodState, StatusKind>> = {
  running: "pending",
  open: "silent",
  closed: "ok",
  reopened: "warn",
};

interface Words {
  readonly t: TFunction;
  readonly number: (value: number, decimals?: number) => string;
}

/** Covered time in percent, rounded down: 99.9 % is never shown as complete. */
export function coveredText(covered: number | null, { number }: Pick<Words, "number">): string {
  return covered === null ? "—" : `${number(Math.floor(covered * 1000) / 10, 1)} %`;
}

/** Whether later data differ from what is billed. */
export function differingOf(
  { differing, is_comparing, state }: SettlementPeriod,
  { t, number }: Words,
): { readonly kind: StatusKind; readonly text: string } | null {
  if (state !== "closed" || differing === null) return null;
  if (is_comparing) return { kind: "pending", text: t("comparing") };
  return differing === 0
    ? { kind: "ok", text: t("same") }
    : { kind: "warn", text: t("differing", { count: differing, shown: number(differing, 0) }) };
}

export const typeTitle = (id: number, language: Language): string =>
  pointTypeOf(id)?.title[language] ?? String(id);

export function unitOf(id: number, language: Language): string {
  const unit = pointTypeOf(id)?.unit;
  return unit === undefined ? "" : units[unit][language];
}

export const amountText = (value: number | null, number: Words["number"]): string =>
  value === null ? "—" : number(value, amountDecimals);

/** With its sign and all that is stored: it may be smaller than what amounts are shown with. */
export const differenceText = (value: number | null, number: Words["number"]): string =>
  value === null ? "—" : withSign(value, number(value, storedDecimals));

/** 27.11.2026 for 2026-11-27. */
export const dayTitle = (day: string): string => formatDate(Date.parse(day) / 1000, "UTC");
