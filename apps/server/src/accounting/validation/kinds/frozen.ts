import { rounded } from "#core";
import { isConfirmed, isEstimated, isTrusted, runsOf, tenth } from "../judged/index.ts";
import { parameter, text, type Kind } from "./kind.ts";

const daySec = 86_400;

export const frozen: Kind = {
  name: "frozen",
  title: text("Застыл", "Frozen", "Царцсан"),
  about: text(
    "Счётчик шёл и остановился: показание не меняется",
    "The counter went on and has stopped: the reading does not change",
    "Тоолуур явж байгаад зогссон: заалт өөрчлөгдөхгүй",
  ),
  parameters: [
    parameter("longer", "days", [0.25, 60, 0.25], {
      usual: 14,
      by: { electricity: 3, water: 30, gas: 30, heat: 30 },
      title: text("Дольше", "Longer than", "Үүнээс удаан"),
    }),
  ],
  // Heat rests all summer.
  isOnFor: (resource) => resource !== "heat",
  says: {
    frozen: text("{days} сут. на {value#}", "{days|day|days} at {value#}", "{days} өдөр {value#} дээр"),
  },
  limit: text("дольше {longer} сут. без изменений", "longer than {longer} days", "{longer} өдрөөс удаан"),
  judge({ levels, field, span }, { longer = 0 }) {
    const trusted = (levels.get(field) ?? []).filter(({ status }) => isTrusted(status));
    const moves = trusted.map((value, at) => value.value !== trusted[at - 1]?.value);
    const standing = trusted.map((value, at) => ({ value, at }));
    return runsOf(standing, (_, at) => at > 0 && !moves[at]).flatMap((found) => {
      const run = found.map(({ value }) => value);
      const last = run.at(-1);
      const start = (found[0]?.at ?? 0) - 1;
      const first = trusted[start];
      // Without an earlier change it has never been seen to count.
      const hasCounted = start > 0;
      if (!first || !last || !hasCounted || last.ts < span.from || first.ts > span.to) return [];
      if (run.some(({ status }) => isConfirmed(status) || isEstimated(status))) return [];
      const lasted = last.ts - first.ts;
      if (lasted <= longer * daySec) return [];
      return [
        {
          field,
          msgType: last.msgType,
          from: first.ts,
          to: last.ts,
          values: run.length + 1,
          code: "frozen",
          evidence: { days: tenth(lasted / daySec), value: rounded(first.value), from_at: first.ts },
        },
      ];
    });
  },
};
