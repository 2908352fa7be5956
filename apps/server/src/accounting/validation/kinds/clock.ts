import { runsOf, type Judged } from "../judged/index.ts";
import { always, parameter, text, type Kind } from "./kind.ts";

export const clock: Kind = {
  name: "clock",
  title: text("Часы", "Clock", "Цаг"),
  about: text(
    "Часы прибора расходятся с нашими: значения стоят не в своих получасах",
    "The clock of the meter is off: its values stand in wrong half-hours",
    "Тоолуурын цаг зөрсөн: утгууд буруу хагас цагт байна",
  ),
  parameters: [
    parameter("seconds", "seconds", [5, 86_400, 5], {
      usual: 300,
      by: { electricity: 60 },
      title: text("Расхождение больше", "Off by more than", "Зөрүү үүнээс их"),
    }),
    parameter("length", "count", [1, 100, 1], {
      usual: 3,
      title: text("Подряд не меньше", "At least in a row", "Дараалан багадаа"),
    }),
  ],
  isOnFor: always,
  says: {
    clock: text(
      "Часы {offset}, значений подряд: {values}",
      "Clock {offset}, {values|value|values} in a row",
      "Цаг {offset}, дараалсан утга: {values}",
    ),
  },
  limit: text("расхождение до {seconds} с", "off by up to {seconds} s", "зөрүү {seconds} с хүртэл"),
  judge({ clock: offsets, field, levels, span }: Judged, { seconds = 0, length = 0 }) {
    const msgType = levels.get(field)?.[0]?.msgType ?? 1;
    return runsOf(offsets, ({ offset }) => Math.abs(offset) > seconds)
      .filter((run) => run.length >= length)
      .flatMap((run) => {
        const [first, last] = [run[0], run.at(-1)];
        if (!first || !last || last.ts < span.from || first.ts > span.to) return [];
        const worst = run.reduce(
          (most, each) => (Math.abs(each.offset) > Math.abs(most) ? each.offset : most),
          0,
        );
        return [
          {
            field,
            msgType,
            from: first.ts,
            to: last.ts,
            values: run.length,
            code: "clock",
            evidence: { offset: Math.round(worst), values: run.length },
          },
        ];
      });
  },
};
