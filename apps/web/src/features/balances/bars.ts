import type { Balance, HalfHour, PeriodSums } from "@metrum/contract";
import type { TFunction } from "i18next";
import { formatDateTime } from "#lib/format";
import { dateOf, dayOf, halfHourOf, monthOf } from "./words.ts";

/** A bar of the imbalance, percent of the input. */
export interface Bar {
  readonly key: string;
  readonly label: string;
  /** Null: not computed, hatched. */
  readonly value: number | null;
  /** Of the cumulative line. */
  readonly line: number | null;
  readonly isBeyond: boolean;
  readonly text: string;
  /** The interval, and its sums; null: not computed. */
  readonly of: string;
  readonly sums: Pick<PeriodSums, "in" | "out" | "losses" | "imbalance" | "imbalance_percent">;
}

interface Words {
  readonly t: TFunction;
  readonly number: (value: number, decimals?: number) => string;
}

export const dayBars = ({ days, group }: Balance, { t, number }: Words): Bar[] =>
  days.map((day) => ({
    key: day.day,
    label: dayOf(day.day),
    value: day.imbalance_percent,
    line: day.cumulative_percent,
    isBeyond: day.exceeds,
    ...{ of: dateOf(day.day), sums: day },
    text:
      day.imbalance === null
        ? t(`dayState.${day.state}`, { day: dateOf(day.day), count: day.missing_points })
        : t("barText", {
            of: dateOf(day.day),
            amount: number(day.imbalance, 1),
            unit: group.unit,
            percent: day.imbalance_percent === null ? "—" : number(day.imbalance_percent, 1),
          }),
  }));

export const monthBars = (months: readonly PeriodSums[], { t, number }: Words): Bar[] =>
  months.map((month) => ({
    key: month.start_day,
    label: monthOf(month.start_day),
    value: month.imbalance_percent,
    line: null,
    isBeyond: month.state === "exceeded",
    ...{ of: monthOf(month.start_day), sums: month },
    text:
      month.imbalance_percent === null
        ? t("monthEmpty", { of: monthOf(month.start_day) })
        : t("monthText", {
            of: monthOf(month.start_day),
            percent: number(month.imbalance_percent, 1),
            days: month.computed_days,
            all: month.days,
          }),
  }));

/** Half-hours; each day is labelled where it begins. */
export const halfHourBars = (
  all: readonly HalfHour[],
  of: Words & { readonly zone: string; readonly unit: string },
): Bar[] =>
  all.map((each, at) => {
    const { zone, unit, t, number } = of;
    const named = halfHourOf(each.from, zone);
    const [day = "", time = ""] = formatDateTime(each.from, zone).split(" ");
    return {
      key: String(each.from),
      label: all.length <= 48 ? time : at === 0 || time === "00:00" ? day.slice(0, 5) : "",
      value: each.imbalance_percent,
      line: null,
      isBeyond: each.exceeds,
      ...{ of: named, sums: each },
      text:
        each.imbalance === null
          ? t("dayState.incomplete", { day: named, count: each.missing_points })
          : t("barText", {
              ...{ of: named, unit, amount: number(each.imbalance, 1) },
              percent: each.imbalance_percent === null ? "—" : number(each.imbalance_percent, 1),
            }),
    };
  });

export interface Scale {
  readonly top: number;
  readonly bottom: number;
  readonly ticks: readonly number[];
}

const niceSteps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Round ends of the axis around all bars and the limit. */
export function scaleOf(bars: readonly Bar[], limit: number): Scale {
  const values = bars.flatMap(({ value, line }) => [value ?? 0, line ?? 0]);
  const [most, least] = [Math.max(limit * 1.2, ...values), Math.min(0, ...values)];
  const step = niceSteps.find((each) => (most - least) / each <= 4) ?? 1000;
  const [top, bottom] = [Math.ceil(most / step), Math.floor(least / step)];
  const ticks = Array.from({ length: Math.min(12, top - bottom + 1) }, (_, at) => (bottom + at) * step);
  return { top: top * step, bottom: bottom * step, ticks };
}

/** Place of a value on the axis from its top, percent. */
export const placeOf = (value: number, { top, bottom }: Scale): number =>
  ((top - Math.min(top, Math.max(bottom, value))) / (top - bottom)) * 100;
