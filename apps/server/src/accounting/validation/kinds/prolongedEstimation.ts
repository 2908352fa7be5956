import { isEstimated, runsOf, tenth, type Judged } from "../judged/index.ts";
import { always, parameter, text, type Kind } from "./kind.ts";

const daySec = 86_400;

export const prolongedEstimation: Kind = {
  name: "prolonged_estimation",
  title: text("Долгая оценка", "Prolonged estimation", "Удаан үнэлгээ"),
  about: text(
    "Оценённые значения стоят дольше, чем принято: нужен прибор или обход",
    "Estimated values stand longer than agreed: a meter or a visit is due",
    "Үнэлсэн утга тогтоосноос удаан: тоолуур эсвэл үзлэг хэрэгтэй",
  ),
  parameters: [
    parameter("longer", "days", [1, 60, 1], {
      usual: 10,
      title: text("Дольше", "Longer than", "Үүнээс удаан"),
    }),
  ],
  isOnFor: always,
  judgesProfiles: true,
  says: {
    prolonged: text(
      "{days} сут. на оценке, значений: {values}",
      "{days|day|days} estimated, {values|value|values}",
      "{days} өдөр үнэлгээтэй, утга: {values}",
    ),
  },
  limit: text("дольше {longer} сут.", "longer than {longer} days", "{longer} өдрөөс удаан"),
  judge({ levels, field, span, everySec }: Judged, { longer = 0 }) {
    return runsOf(levels.get(field) ?? [], ({ status }) => isEstimated(status)).flatMap((run) => {
      const [first, last] = [run[0], run.at(-1)];
      if (!first || !last || last.ts < span.from || first.ts > span.to) return [];
      const lasted = last.ts - first.ts + everySec;
      if (lasted <= longer * daySec) return [];
      return [
        {
          field,
          msgType: first.msgType,
          from: first.ts,
          to: last.ts,
          values: run.length,
          code: "prolonged",
          evidence: { days: tenth(lasted / daySec), values: run.length },
        },
      ];
    });
  },
};
