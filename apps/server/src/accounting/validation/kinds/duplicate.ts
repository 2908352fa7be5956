import { rounded } from "#core";
import { isConfirmed, isEstimated, isTrusted, type Finding, type Judged, type Value } from "../judged.ts";
import { always, parameter, text, type Kind } from "./kind.ts";

/** Two messages of one instant that contradict each other. */
function contradictions(values: readonly Value[]): Finding[] {
  return values.flatMap((value, at) => {
    const before = values[at - 1];
    if (before?.ts !== value.ts || Math.abs(before.value - value.value) < 1e-6) return [];
    return [
      {
        field: value.field,
        msgType: value.msgType,
        from: value.ts,
        to: value.ts,
        values: 2,
        code: "contradiction",
        evidence: { one: rounded(before.value), other: rounded(value.value), values: 2 },
      },
    ];
  });
}

/** One record of the meter, with one stamp and one value, that stands in several slots. */
function repeats(values: readonly Value[], least: number): Finding[] {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    if (value.meterAt === null) continue;
    const key = `${String(value.msgType)} ${String(value.meterAt)} ${String(value.value)}`;
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last || group.length <= least) return [];
    return [
      {
        field: first.field,
        msgType: first.msgType,
        from: first.ts,
        to: last.ts,
        values: group.length,
        code: "repeated",
        evidence: { values: group.length, meter_at: first.meterAt ?? first.ts, value: rounded(first.value) },
      },
    ];
  });
}

export const duplicate: Kind = {
  name: "duplicate",
  title: text("Повтор", "Duplicate", "Давхардал"),
  about: text(
    "Одна запись прибора стоит в нескольких моментах, или одному моменту приписаны разные значения",
    "One record of the meter stands at several times, or one time has different values",
    "Нэг бичлэг хэд хэдэн хугацаанд, эсвэл нэг хугацаанд өөр утгууд",
  ),
  parameters: [
    parameter("repeats", "count", [1, 100, 1], {
      usual: 2,
      title: text("Повторов больше", "More repeats than", "Давталт үүнээс их"),
    }),
  ],
  isOnFor: always,
  says: {
    contradiction: text(
      "{one#} и {other#} в один момент",
      "{one#} and {other#} at one time",
      "Нэг хугацаанд {one#} ба {other#}",
    ),
    repeated: text(
      "Запись прибора повторена {values} раз",
      "A record of the meter stands {values} times",
      "Тоолуурын бичлэг {values} удаа давтагдсан",
    ),
  },
  limit: text(
    "повторов не больше {repeats}",
    "at most {repeats|repeat|repeats}",
    "давталт {repeats}-аас ихгүй",
  ),
  judge({ levels, field, span }: Judged, { repeats: least = 0 }) {
    const values = (levels.get(field) ?? []).filter(
      ({ status }) => isTrusted(status) && !isConfirmed(status) && !isEstimated(status),
    );
    return [...contradictions(values), ...repeats(values, least)].filter(
      ({ from, to }) => to >= span.from && from <= span.to,
    );
  },
};
