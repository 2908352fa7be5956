import type { FieldName } from "@metrum/vocabulary";
import { dayOf, rounded } from "#core";
import { growth } from "#metering/messages";
import {
  exceeds,
  isConfirmed,
  isEstimated,
  isTrusted,
  runsOf,
  type Judged,
  type Value,
} from "../judged/index.ts";
import { parameter, text, type Kind } from "./kind.ts";

const total: FieldName = "tariff0";
const parts: readonly FieldName[] = ["tariff1", "tariff2", "tariff3", "tariff4", "tariff5", "tariff6"];

/** One instant with the total and every tariff that the meter has. */
interface Together {
  readonly value: Value;
  readonly parts: readonly (readonly [FieldName, number])[];
}

function together({ levels }: Judged): Together[] {
  const byKey = (name: FieldName) =>
    new Map<string, number>(
      (levels.get(name) ?? []).flatMap((each) =>
        isTrusted(each.status) ? [[`${String(each.msgType)} ${String(each.ts)}`, each.value] as const] : [],
      ),
    );
  const tariffs = parts.map((name) => [name, byKey(name)] as const).filter(([, values]) => values.size > 0);
  if (tariffs.length === 0) return [];
  return (levels.get(total) ?? []).flatMap((value) => {
    if (!isTrusted(value.status)) return [];
    const key = `${String(value.msgType)} ${String(value.ts)}`;
    const own = tariffs.flatMap(([name, values]) => {
      const part = values.get(key);
      return part === undefined ? [] : [[name, part] as const];
    });
    // A row without one of the tariffs says nothing about their sum.
    return own.length === tariffs.length ? [{ value, parts: own }] : [];
  });
}

interface Difference {
  readonly since: number;
  readonly value: Value;
  readonly total: number;
  readonly sum: number;
}

/** Growth of the total and of the tariffs from the end of one day to the end of the next with values. */
function byDay(judged: Judged): Difference[] {
  const lasts = new Map<number, Together>();
  for (const each of together(judged)) lasts.set(dayOf(judged.zone, each.value.ts - 1), each);
  let before: Together | undefined;
  return [...lasts.values()].flatMap((now) => {
    const last = before;
    before = now;
    if (!last) return [];
    const whole = growth(last.value, now.value, judged.rangeOf(total));
    const earlier = new Map(last.parts);
    let sum = 0;
    for (const [name, value] of now.parts) {
      const before = earlier.get(name);
      const step = growth(
        before === undefined ? undefined : { ts: last.value.ts, value: before },
        { ts: now.value.ts, value },
        judged.rangeOf(name),
      );
      if (step === null) return [];
      sum += step;
    }
    return whole === null
      ? []
      : [{ value: now.value, total: whole, sum: rounded(sum), since: last.value.ts }];
  });
}

export const sumOfTariffs: Kind = {
  name: "sum_of_tariffs",
  title: text("Сумма тарифов", "Sum of tariffs", "Тарифын нийлбэр"),
  about: text(
    "Расход по тарифам не складывается в общий",
    "Consumption by tariffs does not add up to the total",
    "Тарифын хэрэглээний нийлбэр нийт дүнтэй тэнцэхгүй",
  ),
  parameters: [
    parameter("tolerance", "amount", [0.001, 1_000, 0.001], {
      usual: 3,
      by: { heat: 0.05 },
      title: text("Расхождение за сутки больше", "Difference a day above", "Өдрийн зөрүү үүнээс их"),
    }),
    parameter("share", "percent", [0, 50, 0.1], {
      usual: 2,
      title: text("и больше доли расхода", "and above this share", "мөн хэрэглээний энэ хувиас их"),
    }),
  ],
  isOnFor: (resource) => resource === "electricity",
  says: {
    sum: text(
      "Всего {total#}, по тарифам {sum#}, разница {difference#}",
      "Total {total#}, by tariffs {sum#}, difference {difference#}",
      "Нийт {total#}, тарифаар {sum#}, зөрүү {difference#}",
    ),
  },
  limit: text(
    "разница до {tolerance#} и {share} %",
    "difference up to {tolerance#} and {share} %",
    "зөрүү {tolerance#} ба {share} % хүртэл",
  ),
  judge(judged, { tolerance = 0, share = 0 }) {
    const isOff = ({ total: whole, sum, value }: Difference): boolean => {
      const difference = Math.abs(whole - sum);
      if (isConfirmed(value.status) || isEstimated(value.status)) return false;
      return exceeds(difference, tolerance) && exceeds(difference, (Math.max(whole, sum) * share) / 100);
    };
    return runsOf(byDay(judged), isOff).flatMap((run) => {
      const [first, last] = [run[0], run.at(-1)];
      if (!first || !last || last.value.ts < judged.span.from || first.value.ts > judged.span.to) return [];
      const whole = rounded(run.reduce((sum, each) => sum + each.total, 0));
      const sum = rounded(run.reduce((all, each) => all + each.sum, 0));
      return [
        {
          field: total,
          msgType: first.value.msgType,
          from: first.value.ts,
          to: last.value.ts,
          values: run.length,
          code: "sum",
          evidence: {
            total: whole,
            sum,
            difference: rounded(whole - sum),
            days: run.length,
            since_at: first.since,
          },
        },
      ];
    });
  },
};
