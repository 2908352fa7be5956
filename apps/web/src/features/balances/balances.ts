import { balances, type BalanceCause, type BalanceState } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { deviceHref, pointCardHref } from "#lib/screen";
import { addDays, presetRange, startOfDay, type Range } from "#ui/dateRange";
import type { StatusKind } from "#ui/status";

export const directoriesHref = "#/cloud/directories";
export const listHref = "#/cloud/directories/balance";
export const newHref = `${listHref}/new`;
export const groupHref = (id: number): string => `${listHref}/${String(id)}`;
export const editHref = (id: number): string => `${groupHref(id)}/edit`;

/** Where the next step about a cause is. */
export function causeHref(cause: BalanceCause, group: number): string | null {
  const { action, point_id, device_id } = cause;
  if (action === "group") return editHref(group);
  if (action !== "point" && device_id !== null) return deviceHref(device_id);
  return point_id === null ? null : pointCardHref(point_id, device_id);
}

/** Answers that show balances. */
export const refreshed: readonly Call[] = [balances.list, balances.get, balances.compute, balances.noBalance];

export const stateKinds: Readonly<Record<BalanceState, StatusKind>> = {
  ok: "ok",
  exceeded: "alarm",
  incomplete: "warn",
  empty: "off",
};

/** Half-hours are offered of electricity alone. */
export const steps = ["halfHours", "days", "months", "total"] as const;
export type Step = (typeof steps)[number];

/** On the first days of a month its balance says little. */
const fewDays = 2;

/** Month so far, or the last one while the month has hardly begun. */
export function usualRange(zone: string, now: number): Range {
  const month = presetRange("thisMonth", zone, now);
  const isYoung = now < addDays(month.start, fewDays + 1, zone);
  return isYoung
    ? presetRange("lastMonth", zone, now)
    : { start: month.start, end: startOfDay(now, zone) - 1 };
}

export interface Address {
  readonly range: Range | null;
  readonly step: Step;
  readonly put: (change: { readonly range?: Range; readonly step?: Step }) => void;
}

/** Period and step of the view, kept in the address. */
export function useAddress(): Address {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const [start, end] = [Number(search["from"]), Number(search["to"])];
  const step = steps.find((each) => each === search["step"]) ?? "days";
  return {
    range: start > 0 && end > start ? { start, end } : null,
    step,
    put: ({ range, step: next }) =>
      void navigate({
        to: ".",
        search: (before: Readonly<Record<string, unknown>>) => ({
          ...before,
          ...(range ? { from: range.start, to: range.end } : {}),
          ...(next ? { step: next === "days" ? undefined : next } : {}),
        }),
      }),
  };
}
