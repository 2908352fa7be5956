import type { FieldName } from "@metrum/vocabulary";
import { dayOf, rounded } from "#core";
import {
  exceeds,
  isTrusted,
  median,
  runsOf,
  tenth,
  type Finding,
  type Judged,
  type Numbers,
  type Value,
} from "../judged/index.ts";
import { parameter, text, type Kind } from "./kind.ts";

const phases = [
  { voltage: "voltage1", current: "current1" },
  { voltage: "voltage2", current: "current2" },
  { voltage: "voltage3", current: "current3" },
] as const satisfies readonly { readonly voltage: FieldName; readonly current: FieldName }[];
type Phase = (typeof phases)[number];

/** EN 50160 judges means of ten minutes. */
const meanSec = 600;

/** Levels of networks and of the secondary side of voltage transformers, phase to neutral and between phases. */
const levels = [57.7, 63.5, 100, 110, 127, 220, 230, 400] as const;

/** A mean of ten minutes with the last value in it. */
interface Mean {
  readonly slot: number;
  readonly mean: number;
  readonly value: Value;
}

type Means = ReadonlyMap<FieldName, readonly Mean[]>;

/** Means of ten minutes of each field, oldest first. */
function meansOf({ states }: Judged): Means {
  return new Map(
    [...states].map(([field, values]) => {
      const slots = new Map<number, Value[]>();
      for (const value of values) {
        if (!isTrusted(value.status)) continue;
        const slot = Math.floor(value.ts / meanSec);
        const own = slots.get(slot);
        if (own) own.push(value);
        else slots.set(slot, [value]);
      }
      const means = [...slots].flatMap(([slot, own]): Mean[] => {
        const last = own.at(-1);
        return last
          ? [{ slot, mean: own.reduce((sum, { value }) => sum + value, 0) / own.length, value: last }]
          : [];
      });
      return [field, means];
    }),
  );
}

/** The voltage that a meter should see: the set one, or behind transformers the level that it usually sees. */
function nominalOf(means: Means, set: number, absent: number): number {
  const present = phases.flatMap(({ voltage }) =>
    (means.get(voltage) ?? []).flatMap(({ mean }) => (mean * 100 < set * absent ? [] : [mean])),
  );
  if (present.length === 0) return set;
  const usual = median(present);
  if (Math.abs(usual - set) <= set / 4) return set;
  return levels.find((level) => Math.abs(usual - level) <= level / 10) ?? set;
}

interface Of {
  readonly judged: Judged;
  readonly means: Means;
  readonly nominal: number;
  readonly numbers: Numbers;
}

const isAbsent = ({ nominal, numbers: { absent = 0 } }: Of, { mean }: Mean): boolean =>
  exceeds((nominal * absent) / 100, mean);

function findingOf(run: readonly Mean[], given: Pick<Finding, "code" | "evidence">): Finding[] {
  const [first, last] = [run[0]?.value, run.at(-1)?.value];
  if (!first || !last) return [];
  const { field, msgType } = first;
  return [{ field, msgType, from: first.ts, to: last.ts, values: run.length, ...given }];
}

/** A phase that had voltage has none while another has, or a current flows on a phase without voltage. */
function missingPhase(of: Of, { voltage, current }: Phase): Finding[] {
  const { means, nominal, numbers } = of;
  const own = means.get(voltage) ?? [];
  const live = new Set(
    phases.flatMap((other) =>
      other.voltage === voltage
        ? []
        : (means.get(other.voltage) ?? []).flatMap((mean) => (isAbsent(of, mean) ? [] : [mean.slot])),
    ),
  );
  const amperes = new Map((means.get(current) ?? []).map(({ slot, mean }) => [slot, Math.abs(mean)]));
  const flows = ({ slot }: Mean): boolean => exceeds(amperes.get(slot) ?? 0, numbers["current"] ?? 0);
  const first = own.findIndex((mean) => !isAbsent(of, mean));
  const isMissing = (mean: Mean, at: number): boolean =>
    isAbsent(of, mean) && (flows(mean) || (live.has(mean.slot) && first >= 0 && first < at));
  return runsOf(own, isMissing)
    .filter((run) => run.length >= (numbers["length"] ?? 1))
    .flatMap((run) => {
      const most = Math.max(...run.map(({ slot }) => amperes.get(slot) ?? 0));
      const isLoaded = run.some(flows);
      return findingOf(run, {
        code: isLoaded ? "current_without_voltage" : "phase_missing",
        evidence: {
          volts: tenth(Math.max(...run.map(({ mean }) => mean))),
          bound: tenth((nominal * (numbers["absent"] ?? 0)) / 100),
          amperes: rounded(most),
          values: run.length,
          nominal,
        },
      });
    });
}

interface Day {
  readonly day: number;
  readonly means: readonly Mean[];
  readonly outside: readonly Mean[];
}

/** Days on which too large a share of the means is outside of the allowed band. */
function outsideBand(of: Of, { voltage }: Phase): Finding[] {
  const { judged, nominal, means } = of;
  const { percent = 0, share = 0, count = 0 } = of.numbers;
  const present = (means.get(voltage) ?? []).filter((mean) => !isAbsent(of, mean));
  const byDay = new Map<number, Mean[]>();
  for (const mean of present) {
    const day = dayOf(judged.zone, mean.value.ts);
    const own = byDay.get(day);
    if (own) own.push(mean);
    else byDay.set(day, [mean]);
  }
  const band = (nominal * percent) / 100;
  const days = [...byDay].map(([day, own]): Day => ({
    day,
    means: own,
    outside: own.filter(({ mean }) => exceeds(Math.abs(mean - nominal), band)),
  }));
  const isBad = (each: Day): boolean =>
    each.means.length >= count && exceeds((each.outside.length / each.means.length) * 100, share);
  return runsOf(days, isBad).flatMap((run) => {
    const outside = run.flatMap((each) => each.outside);
    const all = run.reduce((sum, each) => sum + each.means.length, 0);
    const worst = outside.reduce(
      (most, { mean }) => (Math.abs(mean - nominal) > Math.abs(most - nominal) ? mean : most),
      nominal,
    );
    return findingOf(outside, {
      code: "outside",
      evidence: {
        volts: tenth(worst),
        low: tenth(nominal - band),
        high: tenth(nominal + band),
        part: tenth((outside.length / all) * 100),
        days: run.length,
        nominal,
      },
    });
  });
}

const [angleB, angleC] = ["coruu1", "coruu2"] as const;
const isNear = (angle: number, expected: number): boolean =>
  Math.abs((((angle % 360) + 360) % 360) - expected) <= 30;

/** B follows A by 120 degrees and C by 240; two conductors changed places when it is the other way round. */
function wrongOrder({ means, numbers }: Of): Finding[] {
  const others = new Map((means.get(angleC) ?? []).map(({ slot, mean }) => [slot, mean]));
  const isWrong = ({ slot, mean }: Mean): boolean =>
    isNear(mean, 240) && isNear(others.get(slot) ?? Number.NaN, 120);
  return runsOf(means.get(angleB) ?? [], isWrong)
    .filter((run) => run.length >= (numbers["length"] ?? 1))
    .flatMap((run) =>
      findingOf(run, {
        code: "phase_order",
        evidence: { angle: tenth(run[0]?.mean ?? 0), values: run.length },
      }),
    );
}

export const voltage: Kind = {
  name: "voltage",
  title: text("Напряжение и фазы", "Voltage and phases", "Хүчдэл ба фаз"),
  about: text(
    "Напряжение вне допуска EN 50160, фаза пропала или перепутана, ток идёт по фазе без напряжения",
    "Voltage outside the band of EN 50160, a phase missing or in the wrong order, current on a phase without voltage",
    "Хүчдэл EN 50160-ийн хязгаараас гадуур, фаз алга эсвэл солигдсон, хүчдэлгүй фазад гүйдэлтэй",
  ),
  parameters: [
    parameter("nominal", "volts", [40, 500, 1], {
      usual: 230,
      title: text("Номинальное напряжение", "Nominal voltage", "Нэрлэсэн хүчдэл"),
    }),
    parameter("percent", "percent", [1, 30, 1], {
      usual: 10,
      title: text("Отклонение больше", "Off by more than", "Хазайлт үүнээс их"),
    }),
    parameter("share", "percent", [0, 95, 1], {
      usual: 5,
      title: text(
        "у доли значений суток больше",
        "for more than this share of a day",
        "өдрийн утгын энэ хувиас их",
      ),
    }),
    parameter("count", "count", [1, 144, 1], {
      usual: 12,
      title: text("Значений за сутки не меньше", "Values of a day at least", "Өдрийн утга багадаа"),
    }),
    parameter("absent", "percent", [1, 50, 1], {
      usual: 10,
      title: text("Фазы нет ниже", "A phase is missing below", "Фаз алга, үүнээс бага бол"),
    }),
    parameter("current", "amperes", [0.01, 100, 0.01], {
      usual: 0.1,
      title: text("Ток без напряжения больше", "Current without voltage above", "Хүчдэлгүй гүйдэл үүнээс их"),
    }),
    parameter("length", "count", [1, 144, 1], {
      usual: 3,
      title: text("Подряд не меньше", "At least in a row", "Дараалан багадаа"),
    }),
  ],
  isOnFor: (resource) => resource === "electricity",
  doubtsNoValues: true,
  says: {
    outside: text(
      "{volts#V} при допуске {low}–{high#V}, вне его {part} % значений, суток: {days}",
      "{volts#V} with {low}–{high#V} allowed, {part} % of the values outside, {days|day|days}",
      "Зөвшөөрөх {low}–{high#V} байхад {volts#V}, утгын {part} % гадуур, {days} өдөр",
    ),
    phase_missing: text(
      "Фазы нет: до {volts#V} при пороге {bound#V}, значений: {values}",
      "The phase is missing: up to {volts#V} with a limit of {bound#V}, {values|value|values}",
      "Фаз алга: {volts#V} хүртэл, босго {bound#V}, утга: {values}",
    ),
    current_without_voltage: text(
      "Ток {amperes#A} при напряжении {volts#V}, порог {current#A}, значений: {values}",
      "Current of {amperes#A} at a voltage of {volts#V}, limit {current#A}, {values|value|values}",
      "{volts#V} хүчдэлд {amperes#A} гүйдэл, босго {current#A}, утга: {values}",
    ),
    phase_order: text(
      "Чередование фаз обратное: угол между A и B {angle#degree} вместо 120°, значений: {values}",
      "Wrong order of the phases: {angle#degree} between A and B in place of 120°, {values|value|values}",
      "Фазын дараалал буруу: A ба B хооронд {angle#degree}, байх ёстой 120°, утга: {values}",
    ),
  },
  limit: text(
    "{nominal#V} ± {percent} % у {share} % значений суток",
    "{nominal#V} ± {percent} %, but for {share} % of the values of a day",
    "{nominal#V} ± {percent} %, өдрийн утгын {share} %-иас бусад",
  ),
  judge(judged, numbers) {
    if (judged.states.size === 0) return [];
    const means = meansOf(judged);
    const of = {
      judged,
      means,
      nominal: nominalOf(means, numbers["nominal"] ?? 0, numbers["absent"] ?? 0),
      numbers,
    };
    return [
      ...phases.flatMap((phase) => [...missingPhase(of, phase), ...outsideBand(of, phase)]),
      ...wrongOrder(of),
    ].filter(({ from, to }) => to >= judged.span.from && from <= judged.span.to);
  },
};
