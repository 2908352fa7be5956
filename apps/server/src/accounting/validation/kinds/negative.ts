import { sources, statuses } from "@metrum/vocabulary";
import { difference, rounded } from "#core";
import { growth } from "#metering/messages";
import {
  isConfirmed,
  isEstimated,
  isTrusted,
  runsOf,
  type Finding,
  type Judged,
  type Value,
} from "../judged/index.ts";
import { always, text, type Kind } from "./kind.ts";

/** A doubtful value with the trusted one before it. */
interface Doubt {
  readonly value: Value;
  readonly before: Value | undefined;
  readonly isFallen: boolean;
}

/** Every value of a counter, with what is wrong about it. */
function doubtsOf({ rangeOf, known, isProfile }: Judged, values: readonly Value[]): Doubt[] {
  let before: Value | undefined;
  return values.map((value) => {
    const last = before;
    if (isTrusted(value.status)) before = value;
    if (value.status === statuses.rejected.id || isConfirmed(value.status) || isEstimated(value.status))
      return { value, before: last, isFallen: false };
    const isExplained =
      isProfile || (last !== undefined && known.some((at) => at > last.ts && at <= value.ts));
    const isFallen =
      value.value < 0 ||
      (last !== undefined && !isExplained && growth(last, value, rangeOf(value.field)) === null);
    return { value, before: last, isFallen: isFallen || value.status === statuses.suspect.id };
  });
}

function findingOf(run: readonly Doubt[]): Finding[] {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return [];
  const lowest = Math.min(...run.map(({ value }) => value.value));
  const isEntered = first.value.source === sources.manual && first.before !== undefined;
  const code = lowest < 0 ? "below_zero" : isEntered ? "entered" : codeOf(first);
  return [
    {
      field: first.value.field,
      msgType: first.value.msgType,
      from: first.value.ts,
      to: last.value.ts,
      values: run.length,
      code,
      evidence: {
        values: run.length,
        lowest: rounded(lowest),
        ...(first.before ? { before: rounded(first.before.value), before_at: first.before.ts } : {}),
        value: rounded(first.value.value),
        ...(code === "leapt" && first.before
          ? { grown: difference(first.value.value, first.before.value) }
          : {}),
      },
    },
  ];
}

const codeOf = ({ value, before }: Doubt): string =>
  !before ? "suspect" : value.value > before.value ? "leapt" : "fallen";

export const negative: Kind = {
  name: "negative",
  title: text("Отрицательный расход", "Negative consumption", "Сөрөг хэрэглээ"),
  about: text(
    "Показание ниже предыдущего или ниже нуля, и это не переход через ноль; или прирост, который прибор не мог насчитать",
    "A reading below the one before or below zero that is no rollover, or a growth that the meter cannot have counted",
    "Өмнөхөөс эсвэл тэгээс бага заалт, тоолуур тэг рүү шилжсэн биш; эсвэл тоолуур тоолж чадахгүй өсөлт",
  ),
  parameters: [],
  isOnFor: always,
  judgesProfiles: true,
  says: {
    below_zero: text(
      "Ниже нуля: {lowest#}, значений: {values}",
      "Below zero: {lowest#}, {values|value|values}",
      "Тэгээс бага: {lowest#}, утга: {values}",
    ),
    leapt: text(
      "{value#} после {before#}: прирост {grown#} больше возможного или намного больше обычного",
      "{value#} after {before#}: the growth of {grown#} is more than possible or far more than usual",
      "{before#}-ийн дараа {value#}: {grown#} өсөлт боломжоос их эсвэл ердийнхөөс хэт их",
    ),
    fallen: text("{value#} после {before#}", "{value#} after {before#}", "{before#}-ийн дараа {value#}"),
    entered: text(
      "Введено {value#} при предыдущем {before#}, не подтверждено",
      "{value#} entered after {before#}, not confirmed",
      "{before#}-ийн дараа {value#} оруулсан, баталгаажаагүй",
    ),
    suspect: text("Под подозрением при приёме", "Suspect at receipt", "Хүлээн авахад сэжигтэй"),
  },
  limit: text("не меньше предыдущего показания", "not below the reading before", "өмнөх заалтаас багагүй"),
  judge: (judged) =>
    [...judged.levels.values()].flatMap((values) =>
      runsOf(doubtsOf(judged, values), ({ isFallen }) => isFallen)
        .flatMap(findingOf)
        .filter(({ from, to }) => to >= judged.span.from && from <= judged.span.to),
    ),
};
