import { rounded } from "#core";
import {
  daysBefore,
  exceeds,
  isConfirmed,
  isEstimated,
  judgedDays,
  quantile,
  runsOf,
  tenth,
  type DayUse,
  type Finding,
  type Judged,
  type Numbers,
} from "../judged/index.ts";
import { always, historyDays, least, parameter, text, type Kind } from "./kind.ts";

/** Values of a run of days, unless a person has confirmed one of them. */
export function findingOfDays(
  judged: Judged,
  run: readonly DayUse[],
  given: Pick<Finding, "code" | "evidence">,
): Finding[] {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return [];
  const steps = judged.steps.filter((step) => step.from >= first.from && step.from < last.to);
  const isDecided = steps.some(({ value }) => isConfirmed(value.status) || isEstimated(value.status));
  const [one, end] = [steps[0]?.value, steps.at(-1)?.value];
  if (isDecided || !one || !end) return [];
  return [
    { field: one.field, msgType: one.msgType, from: one.ts, to: end.ts, values: steps.length, ...given },
  ];
}

/** The usual highest consumption of a day: one odd day of the history does not raise it. */
function usualHighest({ days }: Judged, at: number, back: number): number | undefined {
  const before = daysBefore(days, at, back);
  if (before.length < 7) return undefined;
  return quantile(
    before.map(({ amount }) => amount),
    1 - 1 / before.length,
  );
}

export const high: Kind = {
  name: "high",
  title: text("Высокий расход", "High consumption", "Өндөр хэрэглээ"),
  about: text(
    "Сутки с расходом намного выше обычных",
    "Days with consumption far above the usual ones",
    "Ердийнхөөс хэт их хэрэглээтэй өдрүүд",
  ),
  parameters: [
    parameter("factor", "times", [1.1, 50, 0.1], {
      usual: 2,
      by: { heat: 3, water: 3, gas: 3 },
      title: text(
        "Больше обычных суток в",
        "Above the highest usual day by",
        "Ердийн хамгийн их өдрөөс дахин их",
      ),
    }),
    least(text("Не замечать меньше, за сутки", "Ignore less than, a day", "Өдөрт үүнээс бага бол үл тоох"), {
      water: 1,
      gas: 3,
      heat: 0.1,
      electricity: 5,
    }),
    historyDays,
  ],
  isOnFor: always,
  says: {
    high: text(
      "Суток: {days}, до {highest#}, ×{times} от обычных",
      "{days|day|days}, up to {highest#}, ×{times} of the highest usual one",
      "{days} өдөр, {highest#} хүртэл, ердийнхөөс ×{times}",
    ),
  },
  limit: text(
    "больше {limit#} за сутки: обычные {usual#} × {factor}",
    "over {limit#} a day: {factor} × the highest usual {usual#}",
    "өдөрт {limit#}-аас их: ердийн {usual#} × {factor}",
  ),
  judge(judged, numbers: Numbers) {
    const { factor = 0, least: floor = 0, days: back = 0 } = numbers;
    const usual = new Map(
      judged.days.map((each, at) => [each.day, () => usualHighest(judged, at, back)] as const),
    );
    const known = new Map<number, number | undefined>();
    const usualOf = ({ day }: DayUse): number | undefined => {
      if (!known.has(day)) known.set(day, usual.get(day)?.());
      return known.get(day);
    };
    const isHigh = (each: DayUse): boolean => {
      const most = usualOf(each);
      return (
        most !== undefined &&
        most > 0 &&
        exceeds(each.amount, most * factor) &&
        exceeds(each.amount - most, floor)
      );
    };
    return runsOf(judgedDays(judged), isHigh).flatMap((run) => {
      const most = run[0] && usualOf(run[0]);
      const highest = Math.max(...run.map(({ amount }) => amount));
      if (most === undefined) return [];
      return findingOfDays(judged, run, {
        code: "high",
        evidence: {
          days: run.length,
          times: tenth(highest / most),
          highest: rounded(highest),
          usual: rounded(most),
          limit: rounded(most * factor),
        },
      });
    });
  },
};
