import { rounded } from "#core";
import { exceeds, judgedDays, median, runsOf, type DayUse, type Judged } from "../judged/index.ts";
import { findingOfDays } from "./high.ts";
import { historyDays, least, parameter, text, type Kind } from "./kind.ts";

/** Consumption of a day against the median of the comparable devices of that day. */
function against({ siblings }: Judged, { day, amount }: DayUse, count: number): number | undefined {
  const others = siblings.flatMap((each) => each.get(day) ?? []);
  if (others.length < count) return undefined;
  const middle = median(others);
  return middle > 0 ? amount / middle : undefined;
}

export const sibling: Kind = {
  name: "sibling",
  title: text("Соседи", "Siblings", "Хөршүүд"),
  about: text(
    "Расход разошёлся с такими же приборами того же объекта, а раньше шёл вместе с ними",
    "Consumption has parted from that of the same devices of the same object, which it went along with before",
    "Хэрэглээ ижил объектын ижил төхөөрөмжүүдээс зөрсөн",
  ),
  parameters: [
    parameter("factor", "times", [1.5, 50, 0.1], {
      usual: 4,
      title: text("Отклонение в", "Off by", "Зөрүү дахин"),
    }),
    parameter("count", "count", [2, 10, 1], {
      usual: 3,
      title: text("Соседей не меньше", "Siblings at least", "Хөрш багадаа"),
    }),
    parameter("length", "days", [1, 14, 1], { usual: 2, title: text("Не меньше", "At least", "Багадаа") }),
    least(text("Не замечать меньше, за сутки", "Ignore less than, a day", "Өдөрт үүнээс бага бол үл тоох"), {
      water: 0.5,
      gas: 2,
      heat: 0.05,
      electricity: 3,
    }),
    historyDays,
  ],
  // A flat may be left: for homes with water this says little.
  isOnFor: (resource) => resource === "heat" || resource === "electricity",
  says: {
    sibling: text(
      "Суток: {days}, ×{times} к соседям против обычных ×{usual}",
      "{days|day|days}, ×{times} of the siblings against the usual ×{usual}",
      "{days} өдөр, хөршөөс ×{times}, ердийн ×{usual}",
    ),
  },
  limit: text(
    "отклонение от соседей в {factor} раза",
    "off the siblings by {factor}",
    "хөршөөс {factor} дахин",
  ),
  judge(judged, { factor = 1, count = 0, length = 0, least: floor = 0, days: back = 0 }) {
    if (judged.siblings.length < count) return [];
    const shares = new Map(judged.days.map((each) => [each.day, against(judged, each, count)]));
    const usualOf = ({ day }: DayUse): number | undefined => {
      const before = Array.from({ length: back }, (_, at) => shares.get(day - 1 - at)).filter(
        (each) => each !== undefined,
      );
      return before.length < Math.min(10, back) ? undefined : median(before);
    };
    const isOff = (each: DayUse): boolean => {
      const [share, usual] = [shares.get(each.day), usualOf(each)];
      if (share === undefined || usual === undefined || usual <= 0 || each.amount <= 0) return false;
      const expected = (each.amount / share) * usual;
      if (!exceeds(Math.abs(each.amount - expected), floor)) return false;
      return exceeds(share, usual * factor) || exceeds(usual / factor, share);
    };
    return runsOf(judgedDays(judged), isOff)
      .filter((run) => run.length >= length)
      .flatMap((run) => {
        const [first] = run;
        if (!first) return [];
        return findingOfDays(judged, run, {
          code: "sibling",
          evidence: {
            days: run.length,
            times: Math.round((shares.get(first.day) ?? 0) * 100) / 100,
            usual: Math.round((usualOf(first) ?? 0) * 100) / 100,
            highest: rounded(Math.max(...run.map(({ amount }) => amount))),
          },
        });
      });
  },
};
