import type { Balance, HalfHour, PeriodSums } from "@metrum/contract/accounting";
import { amountDecimals } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { formatDateTime } from "#lib/format";
import { dateOf, dayOf, halfHourOf, monthOf, shortDateOf } from "./words.ts";

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

type DaysOfGroup = Pick<Balance, "days"> & { readonly group: Pick<Balance["group"], "unit"> };

interface Words {
  readonly t: TFunction;
  readonly number: (value: number, decimals?: number) => string;
}

/** Days of which the number alone is clear, and days up to which each can be labelled. */
const clearDays = 31;
const namedDays = 62;

/** The number of a day; over more days its date; over many the month that it begins. */
function labelOfDay(day: string, count: number): string {
  if (count <= clearDays) return dayOf(day);
  if (count <= namedDays) return shortDateOf(day);
  return day.endsWith("-01") ? monthOf(day) : "";
}

export const dayBars = ({ days, group }: DaysOfGroup, { t, number }: Words): Bar[] =>
  days.map((day) => ({
    key: day.day,
    label: labelOfDay(day.day, days.length),
    value: day.imbalance_percent,
    line: day.cumulative_percent,
    isBeyond: day.exceeds,
    ...{ of: dateOf(day.day), sums: day },
    text:
      day.imbalance === null
        ? t(`dayState.${day.state}`, { day: dateOf(day.day), count: day.missing_points })
        : t("barText", {
            of: dateOf(day.day),
            amount: number(day.imbalance, amountDecimals),
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
              ...{ of: named, unit, amount: number(each.imbalance, amountDecimals) },
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

export const zeroOf = (scale: Scale): number => placeOf(0, scale);

/** Bars that find room for a gap between them on a phone; more are drawn as one area. */
export const columnBars = 100;

/** Labels under the chart that find room, wide and on a phone: numbers, dates, and months. */
const mostLabels = [
  { length: 3, wide: 16, phone: 16 },
  { length: 5, wide: 12, phone: 7 },
  { length: Infinity, wide: 12, phone: 5 },
] as const;

interface Label {
  readonly at: number;
  readonly label: string;
  /** A phone has no room for it. */
  readonly isMinor: boolean;
}

/** The labels to draw: as many as find room, evenly thinned. */
export function labelsOf(bars: readonly Bar[]): Label[] {
  const named = bars.flatMap(({ label }, at) => (label === "" ? [] : [{ at, label }]));
  const longest = Math.max(0, ...named.map(({ label }) => label.length));
  const { wide, phone } = mostLabels.find(({ length }) => longest <= length) ?? mostLabels[0];
  const thinned = (count: number, most: number) => Math.max(1, Math.ceil(count / most));
  const drawn = named.filter((_, nth) => nth % thinned(named.length, wide) === 0);
  const kept = thinned(drawn.length, phone);
  return drawn.map((each, nth) => ({ ...each, isMinor: nth % kept !== 0 }));
}

/** Runs of bars that are not computed. */
export function gapsOf(bars: readonly Bar[]): { readonly from: number; readonly count: number }[] {
  const found: { from: number; count: number }[] = [];
  for (const [at, { value }] of bars.entries()) {
    if (value !== null) continue;
    const last = found.at(-1);
    if (last && last.from + last.count === at) last.count += 1;
    else found.push({ from: at, count: 1 });
  }
  return found;
}

/**
 * Outline of the bars beyond the limit, or of the others, as a path over one unit a bar and a height of 100: bars side
 * by side are one stepped shape.
 */
export function areaOf(bars: readonly Bar[], scale: Scale, isBeyond: boolean): string {
  const zero = String(zeroOf(scale));
  let path = "";
  let isOpen = false;
  for (const [at, bar] of bars.entries()) {
    const { value } = bar;
    const isDrawn = value !== null && bar.isBeyond === isBeyond;
    if (isOpen && !isDrawn) path += `V${zero}Z`;
    if (!isOpen && isDrawn) path += `M${String(at)} ${zero}`;
    if (isDrawn) path += `V${rounded(placeOf(value, scale))}H${String(at + 1)}`;
    isOpen = isDrawn;
  }
  return isOpen ? `${path}V${zero}Z` : path;
}

const rounded = (place: number): string => String(Math.round(place * 100) / 100);
