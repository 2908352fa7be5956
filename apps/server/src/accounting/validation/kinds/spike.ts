import { rounded } from "#core";
import {
  isConfirmed,
  isEstimated,
  judgedSteps,
  runsOf,
  tenth,
  usualMaximum,
  type Judged,
  type Numbers,
  type Step,
} from "../judged.ts";
import { always, historyDays, least, parameter, text, type Kind } from "./kind.ts";

/** A step beyond the limit that no person has confirmed. */
function testOf(judged: Judged, numbers: Numbers): (step: Step) => boolean {
  const { factor = 0, least: floor = 0, days = 0 } = numbers;
  const usual = usualMaximum(judged, days);
  return ({ from, perHour, amount, to, value }) => {
    const most = usual(from);
    if (most === undefined || isConfirmed(value.status) || isEstimated(value.status)) return false;
    const hours = (to - from) / 3600;
    return perHour > most * factor && amount - most * hours > floor;
  };
}

export const spike: Kind = {
  name: "spike",
  title: text("Всплеск", "Spike", "Огцом өсөлт"),
  about: text(
    "Короткий расход намного выше обычного максимума",
    "Consumption far above the usual maximum for a short time",
    "Богино хугацаанд ердийн дээд хэмжээнээс хэт их хэрэглээ",
  ),
  parameters: [
    parameter("factor", "times", [1.2, 50, 0.1], {
      usual: 2.5,
      by: { water: 4, gas: 4 },
      title: text("Больше обычного максимума в", "Above the usual maximum by", "Ердийн дээд хэмжээнээс их"),
    }),
    parameter("length", "count", [1, 48, 1], {
      usual: 6,
      title: text("Не длиннее, значений", "At most so many values", "Хамгийн ихдээ утга"),
    }),
    least(text("Не замечать меньше", "Ignore less than", "Үүнээс бага бол үл тоох"), {
      water: 0.5,
      gas: 1,
      heat: 0.05,
      electricity: 1,
    }),
    historyDays,
  ],
  isOnFor: always,
  judgesProfiles: true,
  says: {
    spike: text(
      "Значений: {values}, до ×{times} от обычного максимума",
      "{values|value|values}, up to ×{times} of the usual maximum",
      "Утга: {values}, ердийн дээд хэмжээнээс ×{times} хүртэл",
    ),
  },
  limit: text(
    "больше обычного максимума в {factor} раза",
    "over {factor} × usual maximum",
    "ердийн дээд хэмжээнээс {factor} дахин их",
  ),
  judge(judged, numbers) {
    const usual = usualMaximum(judged, numbers["days"] ?? 0);
    return runsOf(judgedSteps(judged), testOf(judged, numbers))
      .filter((run) => run.length <= (numbers["length"] ?? 0))
      .flatMap((run) => {
        const [first, last] = [run[0], run.at(-1)];
        const most = first && usual(first.from);
        if (!first || !last || most === undefined) return [];
        const highest = Math.max(...run.map(({ perHour }) => perHour));
        const hours = (first.to - first.from) / 3600;
        return [
          {
            field: first.value.field,
            msgType: first.value.msgType,
            from: first.value.ts,
            to: last.value.ts,
            values: run.length,
            code: "spike",
            evidence: {
              values: run.length,
              times: tenth(highest / Math.max(most, 1e-6)),
              highest: rounded(Math.max(...run.map(({ amount }) => amount))),
              usual: rounded(most * hours),
              limit: rounded(most * hours * (numbers["factor"] ?? 0)),
              limit_per_hour: rounded(most * (numbers["factor"] ?? 0)),
            },
          },
        ];
      });
  },
};
