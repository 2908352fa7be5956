import { product, rounded } from "#core";
import { growth } from "#metering/messages";
import {
  exceeds,
  isEstimated,
  isTrusted,
  runsOf,
  termAt,
  type Judged,
  type Span,
  type Step,
  type Value,
} from "../judged/index.ts";
import { parameter, text, type Kind } from "./kind.ts";

const halfHourSec = 1800;

/** Mean power of a half-hour or of a longer time, as the meter counts it. */
interface Mean extends Span {
  readonly power: number;
  readonly value: Value;
}

/** Of a time a little shorter than half an hour the energy alone proves no more than its power over a half-hour. */
const powerOf = (amount: number, sec: number): number => (amount * 3600) / Math.max(sec, halfHourSec);
/** Readings of half-hours come some seconds early. */
const leastSec = halfHourSec - 60;

/** Half-hours of a profile, those of shorter intervals once all of them are known; longer intervals as they are. */
function meansOfProfile({ steps, everySec }: Judged): Mean[] {
  const measured = steps.filter(({ value }) => !isEstimated(value.status));
  const lengthSec = Math.max(everySec, halfHourSec);
  const slots = new Map<number, Step[]>();
  for (const step of measured) {
    const slot = Math.floor(step.from / lengthSec);
    slots.set(slot, [...(slots.get(slot) ?? []), step]);
  }
  return [...slots.values()].flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last || own.length * everySec < lengthSec) return [];
    const amount = own.reduce((sum, step) => sum + step.amount, 0);
    return [
      { from: first.from, to: last.to, power: powerOf(amount, last.to - first.from), value: last.value },
    ];
  });
}

function meansOf(judged: Judged): Mean[] {
  const { isProfile, levels, field, rangeOf } = judged;
  if (isProfile) return meansOfProfile(judged);
  const means: Mean[] = [];
  let before: Value | undefined;
  for (const value of levels.get(field) ?? []) {
    if (!isTrusted(value.status) || isEstimated(value.status)) continue;
    const last = before;
    if (last && value.ts - last.ts < leastSec) continue;
    before = value;
    const amount = last && growth(last, value, rangeOf(field));
    if (!last || amount === null || amount === undefined) continue;
    means.push({ from: last.ts, to: value.ts, power: powerOf(amount, value.ts - last.ts), value });
  }
  return means;
}

/** A mean beyond the contract of its time, with its power behind the transformers. */
interface Over extends Mean {
  readonly behind: number;
  readonly contract: number;
  readonly bound: number;
}

function overOf(judged: Judged, mean: Mean, share: number): Over | undefined {
  const { terms } = judged;
  const contract = terms && termAt(terms.contractPower, mean);
  if (!terms || !contract || !termAt(terms.measured, mean)) return undefined;
  const ratio = terms.ratioOver(mean);
  if (ratio === null) return undefined;
  const behind = product(mean.power, ratio);
  const bound = contract.kw * (1 + share / 100);
  return exceeds(behind, bound) ? { ...mean, behind, contract: contract.kw, bound } : undefined;
}

export const contractPower: Kind = {
  name: "contract_power",
  title: text("Договорная мощность", "Contract power", "Гэрээт чадал"),
  about: text(
    "Получасовая мощность выше договорной мощности точки учёта",
    "Power of a half-hour above the contract power of the accounting point",
    "Хагас цагийн чадал тоолох цэгийн гэрээт чадлаас их",
  ),
  parameters: [
    parameter("share", "percent", [0, 100, 1], {
      usual: 0,
      title: text("Выше договорной больше чем на", "Above the contract by more than", "Гэрээт чадлаас илүү"),
    }),
    parameter("length", "count", [1, 48, 1], {
      usual: 1,
      title: text("Подряд не меньше", "At least in a row", "Дараалан багадаа"),
    }),
  ],
  isOnFor: (resource) => resource === "electricity",
  judgesProfiles: true,
  doubtsNoValues: true,
  says: {
    over: text(
      "{power#kW} при договорной {contract#kW}, значений: {values}",
      "{power#kW} with a contract of {contract#kW}, {values|value|values}",
      "Гэрээт чадал {contract#kW} байхад {power#kW}, утга: {values}",
    ),
  },
  limit: text("до {bound#kW}", "up to {bound#kW}", "{bound#kW} хүртэл"),
  judge(judged, { share = 0, length = 1 }) {
    if (!judged.terms || judged.terms.contractPower.length === 0) return [];
    const means = meansOf(judged).map((mean) => overOf(judged, mean, share));
    return runsOf(means, (mean) => mean !== undefined)
      .map((run) => run.filter((mean) => mean !== undefined))
      .filter((run) => run.length >= length)
      .flatMap((run) => {
        const [first, last] = [run[0], run.at(-1)];
        const highest = run.reduce((most, each) => (!most || each.behind > most.behind ? each : most), first);
        if (!first || !last || !highest) return [];
        return [
          {
            field: first.value.field,
            msgType: first.value.msgType,
            from: first.value.ts,
            to: last.value.ts,
            values: run.length,
            code: "over",
            evidence: {
              power: rounded(highest.behind),
              contract: rounded(highest.contract),
              bound: rounded(highest.bound),
              values: run.length,
            },
          },
        ];
      })
      .filter(({ from, to }) => to >= judged.span.from && from <= judged.span.to);
  },
};
