import { statuses } from "@metrum/vocabulary";
import { tenth, type Judged, type Value } from "../judged/index.ts";
import { always, parameter, text, type Kind } from "./kind.ts";

/** A row stands there: also a doubtful one, and one that a person has refused. */
const isPresent = ({ status, method }: Value): boolean =>
  status !== statuses.rejected.id || method === undefined;

export const gap: Kind = {
  name: "gap",
  title: text("Пропуск", "Gap", "Тасалдал"),
  about: text(
    "Нет значений дольше заданного",
    "No values for longer than set",
    "Тогтоосноос удаан утга алга",
  ),
  parameters: [
    parameter("hours", "hours", [0.5, 1_488, 0.5], {
      usual: 24,
      by: { electricity: 6, water: 48, gas: 48 },
      title: text("Дольше", "Longer than", "Үүнээс удаан"),
    }),
  ],
  isOnFor: always,
  judgesProfiles: true,
  says: {
    gap: text(
      "{hours} ч без данных, значений: {values}",
      "{hours} h without data, {values|value|values}",
      "{hours} цаг өгөгдөлгүй, утга: {values}",
    ),
  },
  limit: text("дольше {bound} ч", "longer than {bound} h", "{bound} цагаас удаан"),
  judge(judged: Judged, { hours = 0 }) {
    const { levels, field, everySec, span } = judged;
    const present = (levels.get(field) ?? []).filter(isPresent);
    const longest = Math.max(hours * 3600, everySec * 1.9);
    return present.flatMap((value, at) => {
      const before = present[at - 1];
      if (!before || value.ts < span.from || before.ts > span.to) return [];
      const lasted = value.ts - before.ts;
      if (lasted <= longest) return [];
      const missing = Math.max(1, Math.round(lasted / everySec) - 1);
      return [
        {
          field,
          msgType: value.msgType,
          from: before.ts,
          to: value.ts,
          values: missing,
          code: "gap",
          evidence: {
            hours: tenth(lasted / 3600),
            bound: tenth(longest / 3600),
            values: missing,
            from_at: before.ts,
            to_at: value.ts,
          },
        },
      ];
    });
  },
};
