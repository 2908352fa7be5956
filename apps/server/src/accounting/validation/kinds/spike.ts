import { rounded } from "#core";
import {
  exceeds,
  isConfirmed,
  isEstimated,
  judgedSteps,
  tenth,
  usualMaximum,
  type Judged,
  type Numbers,
  type Step,
} from "../judged/index.ts";
import { always, historyDays, least, parameter, text, type Kind } from "./kind.ts";

/**
 * Runs of steps beyond the limit that no person has confirmed. What is usual before a run holds for all of it, or
 * its own steps would be usual on the next day.
 */
function runsBeyond(judged: Judged, numbers: Numbers): { run: readonly Step[]; usual: number }[] {
  const { factor = 0, least: floor = 0, days = 0 } = numbers;
  const usualAt = usualMaximum(judged, days);
  const runs: { run: Step[]; usual: number }[] = [];
  let open: { run: Step[]; usual: number } | undefined;
  for (const step of judgedSteps(judged)) {
    const { from, to, perHour, amount, value } = step;
    const usual = open?.usual ?? usualAt(from);
    const isDecided = isConfirmed(value.status) || isEstimated(value.status);
    const isBeyond =
      usual !== undefined &&
      !isDecided &&
      exceeds(perHour, usual * factor) &&
      exceeds(amount - (usual * (to - from)) / 3600, floor);
    if (!isBeyond) open = undefined;
    else if (open) open.run.push(step);
    else runs.push((open = { run: [step], usual }));
  }
  return runs;
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
      "Значений: {values}, до {highest#}, ×{times} от обычного максимума",
      "{values|value|values}, up to {highest#}, ×{times} of the usual maximum",
      "Утга: {values}, {highest#} хүртэл, ердийн дээд хэмжээнээс ×{times}",
    ),
  },
  limit: text(
    "больше {limit#}: обычный максимум {usual#} × {factor}",
    "over {limit#}: {factor} × the usual maximum {usual#}",
    "{limit#}-аас их: ердийн дээд хэмжээ {usual#} × {factor}",
  ),
  judge(judged, numbers) {
    return runsBeyond(judged, numbers)
      .filter(({ run }) => run.length <= (numbers["length"] ?? 0))
      .flatMap(({ run, usual: most }) => {
        const [first, last] = [run[0], run.at(-1)];
        if (!first || !last) return [];
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
