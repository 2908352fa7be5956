import { rounded, roundedTo } from "#core";
import { exceeds, judgedDays, median, runsOf, type DayUse, type Judged } from "../judged/index.ts";
import { findingOfDays } from "./high.ts";
import { parameter, text, type Kind } from "./kind.ts";

const weeks = 4;

/** A day against the same weekdays of the weeks before it; undefined without two of them. */
export function againstWeekdays({ days }: Judged): (each: DayUse) => number | undefined {
  const byDay = new Map(days.map((each) => [each.day, each]));
  return ({ day, amount }) => {
    const same = Array.from(
      { length: weeks },
      (_, at) => byDay.get(day - 7 * (at + 1))?.amount ?? null,
    ).filter((each) => each !== null);
    const usual = same.length < 2 ? 0 : median(same);
    return usual > 0 ? amount / usual : undefined;
  };
}

export const ratio: Kind = {
  name: "ratio",
  title: text("Коэффициент", "Ratio", "Коэффициент"),
  about: text(
    "Расход изменился ровно в коэффициент трансформации: прибор умножает сам, или его подключили без трансформаторов",
    "Consumption has changed by just the ratio of the transformers: the meter multiplies by itself, or is connected without them",
    "Хэрэглээ яг трансформаторын коэффициентоор өөрчлөгдсөн",
  ),
  parameters: [
    parameter("least", "times", [2, 1000, 1], {
      usual: 5,
      title: text("Коэффициент не меньше", "Ratio of at least", "Коэффициент үүнээс багагүй"),
    }),
    parameter("tolerance", "percent", [1, 40, 1], {
      usual: 20,
      title: text("Точность", "Tolerance", "Нарийвчлал"),
    }),
    parameter("length", "days", [1, 14, 1], {
      usual: 2,
      title: text("Не меньше", "At least", "Багадаа"),
    }),
  ],
  isOnFor: (resource) => resource === "electricity",
  says: {
    ratio: text(
      "Расход ×{times} при коэффициенте {ratio}, суток: {days}",
      "Consumption ×{times} with a ratio of {ratio}, {days} days",
      "Коэффициент {ratio} үед хэрэглээ ×{times}, {days} өдөр",
    ),
  },
  limit: text(
    "в {ratio} раз с точностью {tolerance} %",
    "by {ratio} within {tolerance} %",
    "{ratio} дахин, {tolerance} %",
  ),
  judge(judged, { least = 0, tolerance = 0, length = 0 }) {
    const { ratio: factor } = judged;
    if (factor < least) return [];
    const change = againstWeekdays(judged);
    const matches = (times: number | undefined): boolean =>
      times !== undefined &&
      times > 0 &&
      [factor, 1 / factor].some((each) => !exceeds(Math.abs(times / each - 1) * 100, tolerance));
    return runsOf(judgedDays(judged), (each) => matches(change(each)))
      .filter((run) => run.length >= length)
      .flatMap((run) =>
        findingOfDays(judged, run, {
          code: "ratio",
          evidence: {
            days: run.length,
            ratio: factor,
            times: roundedTo(median(run.map((each) => change(each) ?? 1)), 2),
            highest: rounded(Math.max(...run.map(({ amount }) => amount))),
          },
        }),
      );
  },
};
