import type { Text } from "@metrum/vocabulary";
import { rounded } from "#core";
import {
  contradictionsOf,
  disputeKind,
  disputesOf,
  isConfirmed,
  isEstimated,
  isTrusted,
  type Dispute,
  type Finding,
  type Judged,
  type Value,
} from "../judged/index.ts";
import { always, parameter, text, type Kind } from "./kind.ts";

/** Values of one time of which one counts, by runs: two sources that always differ are one finding. */
function disputed(
  disputes: readonly Dispute[],
  values: readonly Value[],
  codeOf: (dispute: Dispute) => string,
): Finding[] {
  const byTime = new Map(disputes.map((dispute) => [dispute.counts, dispute]));
  const runs: Dispute[][] = [];
  let open: Dispute[] | undefined;
  for (const value of values) {
    const dispute = byTime.get(value);
    const first = open?.[0];
    if (!dispute) open = undefined;
    else if (open && first && codeOf(first) === codeOf(dispute)) open.push(dispute);
    else runs.push((open = [dispute]));
  }
  return runs.flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)];
    return first && last
      ? [findingOf(first, { to: last.counts.ts, values: run.length, code: codeOf(first) })]
      : [];
  });
}

function findingOf(
  { counts, other }: Dispute,
  { to, values, code }: { readonly to: number; readonly values: number; readonly code: string },
): Finding {
  return {
    field: counts.field,
    msgType: other.msgType,
    from: counts.ts,
    to,
    values,
    code,
    evidence: {
      one: rounded(counts.value),
      one_source: counts.source,
      one_type: counts.msgType,
      other: rounded(other.value),
      other_source: other.source,
      other_type: other.msgType,
      values,
    },
  };
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

const counting = (value: string): Text =>
  text(`засчитать {${value}#}`, `{${value}#} counts`, `{${value}#} тооцно`);
const refusing = (value: string): Text =>
  text(`отклонить {${value}#}`, `{${value}#} is refused`, `{${value}#} татгалзана`);
/** What counts is confirmed, or the other value counts. */
const betweenTwo = { accept: counting("one"), reject: counting("other") };

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
    of_types: text(
      "Засчитано {one#} ({one_type}, {one_source}), в тот же момент {other#} ({other_type}, {other_source}); отклонить — засчитать его",
      "{one#} counts ({one_type}, {one_source}), at the same time {other#} ({other_type}, {other_source}); rejecting counts it",
      "{one#} ({one_type}, {one_source}) тооцсон, тэр үед {other#} ({other_type}, {other_source}); татгалзвал түүнийг тооцно",
    ),
    of_sources: text(
      "Засчитано {one#} ({one_source}), за тот же момент {other#} ({other_source}); отклонить — засчитать его",
      "{one#} counts ({one_source}), of the same time {other#} ({other_source}); rejecting counts it",
      "{one#} ({one_source}) тооцсон, тэр үеийнх {other#} ({other_source}); татгалзвал түүнийг тооцно",
    ),
    entered: text(
      "Засчитано {one#} ({one_source}), не подтверждено {other#} ({other_source}); принять — засчитать его",
      "{one#} counts ({one_source}), {other#} is not confirmed ({other_source}); accepting counts it",
      "{one#} ({one_source}) тооцсон, {other#} ({other_source}) баталгаажаагүй; зөвшөөрвөл түүнийг тооцно",
    ),
    repeated: text(
      "Запись прибора повторена {values} раз",
      "A record of the meter stands {values} times",
      "Тоолуурын бичлэг {values} удаа давтагдсан",
    ),
  },
  decides: {
    of_types: betweenTwo,
    of_sources: betweenTwo,
    entered: { accept: counting("other"), reject: refusing("other") },
  },
  limit: text(
    "повторов не больше {repeats}",
    "at most {repeats|repeat|repeats}",
    "давталт {repeats}-аас ихгүй",
  ),
  judge(judged: Judged, { repeats: least = 0 }) {
    const { levels, field, span } = judged;
    const all = levels.get(field) ?? [];
    const values = all.filter(
      ({ status }) => isTrusted(status) && !isConfirmed(status) && !isEstimated(status),
    );
    return [
      ...disputed(contradictionsOf(values), values, () => "of_types"),
      ...disputed(disputesOf(judged), all, disputeKind),
      ...repeats(values, least),
    ].filter(({ from, to }) => to >= span.from && from <= span.to);
  },
};
