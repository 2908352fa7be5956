import type { FieldName } from "@metrum/vocabulary";
import { dayOf, rounded } from "#core";
import { growth } from "#metering/messages";
import {
  exceeds,
  intervalLengths,
  isConfirmed,
  isEstimated,
  isTrusted,
  median,
  runsOf,
  type Judged,
  type Value,
} from "../judged/index.ts";
import { parameter, text, type Kind } from "./kind.ts";

const total: FieldName = "tariff0";
const only: FieldName = "tariff1";
/** Energy of the intervals between two readings, and how much of it lies in intervals that a reading cuts. */
interface Energy {
  readonly sum: number;
  readonly cut: number;
}

interface Difference extends Energy {
  readonly since: number;
  readonly value: Value;
  readonly whole: number;
}

/** Trusted power by the start of its interval, with the length of the intervals; undefined without a profile. */
function intervalsOf({ profile }: Judged) {
  const trusted = profile.filter(({ status }) => isTrusted(status) && !isEstimated(status));
  const distances = trusted.slice(1).map(({ ts }, at) => ts - (trusted[at]?.ts ?? ts));
  if (distances.length === 0) return undefined;
  const lengthSec = median(distances);
  const first = trusted[0]?.ts ?? 0;
  const isRegular = trusted.every(({ ts }) => (ts - first) % lengthSec === 0);
  if (!isRegular || !intervalLengths.includes(lengthSec)) return undefined;
  return { lengthSec, first, powers: new Map(trusted.map(({ ts, value }) => [ts, value])) };
}

type Intervals = NonNullable<ReturnType<typeof intervalsOf>>;

/** Energy between two instants; undefined if an interval is missing. */
function energyOf(
  { lengthSec, first, powers }: Intervals,
  { from, to }: { readonly from: number; readonly to: number },
): Energy | undefined {
  let [sum, cut] = [0, 0];
  for (let at = first + Math.floor((from - first) / lengthSec) * lengthSec; at < to; at += lengthSec) {
    const power = powers.get(at);
    if (power === undefined) return undefined;
    const inside = Math.min(to, at + lengthSec) - Math.max(from, at);
    sum += (power * inside) / 3600;
    if (inside < lengthSec) cut += (power * lengthSec) / 3600;
  }
  return { sum, cut };
}

/** The register that the profile belongs to: the total, or the tariff of a meter with one. */
function registerOf({ levels }: Judged): readonly Value[] {
  if (levels.has(total)) return levels.get(total) ?? [];
  return levels.has("tariff2") ? [] : (levels.get(only) ?? []);
}

/** Growth of the register from the end of one day to that of the next with a reading, against its intervals. */
function differencesOf(judged: Judged): Difference[] {
  const intervals = intervalsOf(judged);
  if (!intervals) return [];
  const lasts = new Map<number, Value>();
  for (const value of registerOf(judged))
    if (isTrusted(value.status)) lasts.set(dayOf(judged.zone, value.ts - 1), value);
  let before: Value | undefined;
  return [...lasts.values()].flatMap((value) => {
    const last = before;
    before = value;
    if (!last || [last, value].some(({ status }) => isConfirmed(status) || isEstimated(status))) return [];
    const whole = growth(last, value, judged.rangeOf(value.field));
    const energy = whole === null ? undefined : energyOf(intervals, { from: last.ts, to: value.ts });
    return whole === null || !energy ? [] : [{ ...energy, whole, value, since: last.ts }];
  });
}

export const intervalSum: Kind = {
  name: "interval_sum",
  title: text("Сумма интервалов", "Sum of intervals", "Интервалын нийлбэр"),
  about: text(
    "Сумма получасов профиля не сходится с ростом показания за то же время",
    "The half-hours of the profile do not add up to the growth of the register over the same time",
    "Профайлын хагас цагийн нийлбэр тухайн хугацааны заалтын өсөлттэй таарахгүй",
  ),
  parameters: [
    parameter("tolerance", "amount", [0.001, 1_000, 0.001], {
      usual: 1,
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
      "По показанию {register#}, по интервалам {sum#}, разница {difference#}",
      "By the register {register#}, by the intervals {sum#}, difference {difference#}",
      "Заалтаар {register#}, интервалаар {sum#}, зөрүү {difference#}",
    ),
  },
  limit: text(
    "разница до {tolerance#} и {share} %",
    "difference up to {tolerance#} and {share} %",
    "зөрүү {tolerance#} ба {share} % хүртэл",
  ),
  judge(judged, { tolerance = 0, share = 0 }) {
    const isOff = ({ whole, sum, cut }: Difference): boolean => {
      const difference = Math.abs(whole - sum) - cut;
      return exceeds(difference, tolerance) && exceeds(difference, (Math.max(whole, sum) * share) / 100);
    };
    return runsOf(differencesOf(judged), isOff).flatMap((run) => {
      const [first, last] = [run[0]?.value, run.at(-1)?.value];
      if (!first || !last || last.ts < judged.span.from || first.ts > judged.span.to) return [];
      const register = rounded(run.reduce((all, { whole }) => all + whole, 0));
      const sum = rounded(run.reduce((all, each) => all + each.sum, 0));
      return [
        {
          field: first.field,
          msgType: first.msgType,
          from: first.ts,
          to: last.ts,
          values: run.length,
          code: "sum",
          evidence: {
            register,
            sum,
            difference: rounded(register - sum),
            days: run.length,
            since_at: run[0]?.since ?? first.ts,
          },
        },
      ];
    });
  },
};
