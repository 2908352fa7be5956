import type { FieldName } from "@metrum/vocabulary";
import { dayOf, rounded, startOfDay } from "#core";
import { growth } from "#metering/messages";
import {
  exceeds,
  isConfirmed,
  isEstimated,
  isTrusted,
  runsOf,
  type Judged,
  type Value,
} from "../judged/index.ts";
import { historyDays, parameter, text, type Kind } from "./kind.ts";

const reverse: FieldName = "tariff_negative0";

/** Growth of a counter by calendar day, with the values of the day. */
export interface DayGrowth {
  readonly day: number;
  readonly amount: number;
  readonly values: readonly Value[];
}

/** From the last value before a day to the last one in it; days without a value are left out. */
export function growthByDay({ zone, rangeOf }: Judged, all: readonly Value[]): DayGrowth[] {
  const values = all.filter(({ status }) => isTrusted(status));
  const byDay = new Map<number, Value[]>();
  for (const value of values) {
    const day = dayOf(zone, value.ts - 1);
    const own = byDay.get(day);
    if (own) own.push(value);
    else byDay.set(day, [value]);
  }
  let before: Value | undefined;
  return [...byDay].flatMap(([day, own]) => {
    const last = own.at(-1);
    const amount = before && last ? growth(before, last, rangeOf(last.field)) : null;
    before = last;
    return amount === null ? [] : [{ day, amount, values: own }];
  });
}

export const reverseFlow: Kind = {
  name: "reverse_flow",
  title: text("Обратный поток", "Reverse flow", "Эсрэг урсгал"),
  about: text(
    "Отдача там, где её не бывало: перепутана фаза или появилась генерация",
    "Export where there was none: a reversed phase, or generation that nobody has told",
    "Урьд байгаагүй эсрэг урсгал: фаз солигдсон эсвэл үйлдвэрлэл нэмэгдсэн",
  ),
  parameters: [
    parameter("amount", "amount", [0.01, 100_000, 0.01], {
      usual: 0.5,
      title: text("Больше, за сутки", "More than, a day", "Өдөрт үүнээс их"),
    }),
    historyDays,
  ],
  isOnFor: (resource) => resource === "electricity",
  says: {
    reverse: text(
      "{amount#} за {days} сут., раньше не было",
      "{amount#} in {days|day|days}, none before",
      "{days} өдөрт {amount#}, өмнө байгаагүй",
    ),
  },
  limit: text("больше {amount#} за сутки", "over {amount#} a day", "өдөрт {amount#}-аас их"),
  judge(judged, { amount: limit = 0, days: back = 0 }) {
    const days = growthByDay(judged, judged.levels.get(reverse) ?? []);
    const isOdd = (each: DayGrowth, at: number): boolean => {
      if (!exceeds(each.amount, limit)) return false;
      if (each.values.some(({ status }) => isConfirmed(status) || isEstimated(status))) return false;
      const before = days.slice(0, at).filter(({ day }) => each.day - day <= back);
      // Where export is usual it is no fault: more than every fourth day of the history has some.
      const usual = Math.max(...before.map(({ amount }) => amount), 0);
      const isUsual = before.filter(({ amount }) => exceeds(amount, limit)).length * 4 > before.length;
      return before.length >= 7 && !isUsual && exceeds(each.amount, usual * 2);
    };
    return runsOf(days, isOdd).flatMap((run) => {
      const [first, last] = [run[0], run.at(-1)];
      const [one, end] = [first?.values[0], last?.values.at(-1)];
      if (
        !one ||
        !end ||
        end.ts < judged.span.from ||
        startOfDay(judged.zone, first?.day ?? 0) > judged.span.to
      )
        return [];
      const amount = rounded(run.reduce((sum, each) => sum + each.amount, 0));
      return [
        {
          field: reverse,
          msgType: one.msgType,
          from: one.ts,
          to: end.ts,
          values: run.reduce((sum, { values }) => sum + values.length, 0),
          code: "reverse",
          evidence: { amount, days: run.length },
        },
      ];
    });
  },
};
