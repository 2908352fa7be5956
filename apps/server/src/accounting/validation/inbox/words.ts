import {
  fieldNames,
  fieldOf,
  fields,
  isMessageType,
  messageTypes,
  resourceOfGroup,
  units,
  type FieldName,
  type Language,
  type Source,
  type Text,
  type UnitKey,
} from "@metrum/vocabulary";
import { numberText, offsetSec } from "#core";
import { sourceName } from "#metering/messages";
import { kinds } from "../kinds/index.ts";
import { profileField, type Evidence, type Numbers } from "../judged/index.ts";
import type { ExceptionRow } from "./listStore.ts";

const two = (value: number): string => String(value).padStart(2, "0");

/** `19.11 12:54` on the clock of a zone. */
export function momentText(at: number, zone: string): string {
  const local = new Date((at + offsetSec(zone, at)) * 1000);
  const date = `${two(local.getUTCDate())}.${two(local.getUTCMonth() + 1)}`;
  return `${date} ${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`;
}

export const dateText = (at: number, zone: string): string => momentText(at, zone).slice(0, 5);

/**
 * `{name}`; `{name|value|values}`: the number with its noun; `{name#}`: with the unit of the exception;
 * `{name#kW}`: with this unit.
 */
const placeholder = /\{(\w+)(?:#(\w*))?(?:\|([^|}]+)\|([^}]+))?\}/g;

const clockWords = {
  ahead: { ru: "спешат на {time}", en: "{time} ahead", mn: "{time} түрүүлсэн" },
  behind: { ru: "отстают на {time}", en: "{time} behind", mn: "{time} хоцорсон" },
  right: { ru: "идут верно", en: "right", mn: "зөв" },
} as const satisfies Record<string, Text>;
const timeUnits = [
  { sec: 3600, title: { ru: "ч", en: "h", mn: "ц" } },
  { sec: 60, title: { ru: "мин", en: "min", mn: "мин" } },
  { sec: 1, title: { ru: "с", en: "s", mn: "с" } },
] as const;

/** How a clock goes that is ahead by so many seconds: "отстают на 1 мин 41 с". */
export function clockText(offset: number, language: Language): string {
  let rest = Math.round(Math.abs(offset));
  if (rest === 0) return clockWords.right[language];
  const parts: string[] = [];
  for (const { sec, title } of timeUnits) {
    const count = Math.floor(rest / sec);
    rest -= count * sec;
    if (count > 0) parts.push(`${numberText(count, language, 0)} ${title[language]}`);
  }
  return clockWords[offset > 0 ? "ahead" : "behind"][language].replace("{time}", parts.join(" "));
}

/** Unit of amounts, with the decimals that all of them have. */
export interface Unit {
  readonly title: Text;
  readonly decimals: number;
}

/** What words are put for: the values by name, with the zone of instants and the unit of amounts. */
export interface Filling {
  readonly values: Readonly<Record<string, number | string>>;
  readonly zone?: string;
  readonly unit?: Unit;
}

/** The number with a unit, which never stands alone on the next line. */
function withUnit(value: number, unit: Unit | undefined, language: Language): string {
  const title = unit?.title[language] ?? "";
  const shown = numberText(value, language, unit?.decimals ?? freely);
  return title === "" || title === "°" ? `${shown}${title}` : `${shown}\u00a0${title}`;
}

/** A bare number of a rule: a count, a factor, a share. */
const freely = { least: 0, most: 3 };

/** A unit with the decimals of the fields that are measured in it. */
function unitByKey(key: string): Unit | undefined {
  if (!Object.hasOwn(units, key)) return undefined;
  const measured = fieldNames.find((name) => fields[name].unit === key);
  return { title: units[key as UnitKey], decimals: measured === undefined ? 3 : fields[measured].decimals };
}

const sourceWords: Readonly<Record<Source, Text>> = {
  polled: { ru: "опрос", en: "polled", mn: "асуулга" },
  pushed: { ru: "передача прибора", en: "sent by the meter", mn: "тоолуур илгээсэн" },
  imported: { ru: "файл", en: "file", mn: "файл" },
  manual: { ru: "ввод вручную", en: "entered by hand", mn: "гараар оруулсан" },
  calculated: { ru: "расчёт", en: "calculated", mn: "тооцоолсон" },
};

/** A number in the sense of its name: an instant, a source, a type of message, else an amount. */
function meaningOf(
  name: string,
  value: number,
  of: { readonly language: Language; readonly zone: string },
): string {
  const { language, zone } = of;
  if (name.endsWith("_at")) return momentText(value, zone);
  if (name.endsWith("_source")) return sourceWords[sourceName(value)][language];
  if (name.endsWith("_type"))
    return isMessageType(value) ? messageTypes[value].title[language] : String(value);
  return numberText(value, language, freely);
}

/**
 * Puts numbers into words; names that end with `_at` are instants, with `_source` sources, with `_type` types of
 * messages, and `offset` is that of a clock.
 */
export function filled(text: Text, language: Language, { values, zone = "UTC", unit }: Filling): string {
  const put = (whole: string, name: string, key?: string, one?: string, other?: string): string => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value === "string") return value;
    if (name === "offset") return clockText(value, language);
    if (key !== undefined) return withUnit(value, key === "" ? unit : unitByKey(key), language);
    const shown = meaningOf(name, value, { language, zone });
    return one === undefined || other === undefined ? shown : `${shown} ${value === 1 ? one : other}`;
  };
  return text[language].replaceAll(placeholder, put);
}

/** The unit of amounts of an exception: consumption of a power profile is energy. */
export function unitOfField(field: FieldName, deviceGroupId: number): Unit {
  const { unit, decimals } = fieldOf(field, resourceOfGroup(deviceGroupId).key);
  return { title: units[field === profileField ? "kWh" : unit], decimals };
}

type Said = Pick<ExceptionRow, "kind" | "code" | "zone" | "field" | "device_group_id"> & {
  readonly evidence: Evidence;
  readonly numbers: Numbers;
};

/** Words of an exception; a number that an earlier release did not keep is a dash. */
function wordsOf(
  text: Text,
  language: Language,
  {
    zone,
    field,
    device_group_id,
    values,
  }: Pick<Said, "zone" | "field" | "device_group_id"> & Pick<Filling, "values">,
): string {
  const unit = unitOfField(field, device_group_id);
  return filled(text, language, { values, zone, unit }).replaceAll(placeholder, "–");
}

/** What the rule saw, in words; an unknown code of an earlier release is shown as its rule. */
export function summaryOf(said: Said, language: Language): string {
  const words = kinds[said.kind].says[said.code];
  if (!words) return kinds[said.kind].title[language];
  return wordsOf(words, language, { ...said, values: { ...said.numbers, ...said.evidence } });
}

/** What each decision does, in words; null: what it always does. */
export function decisionsOf(said: Said, language: Language): Record<"accept" | "reject", string> | null {
  const words = kinds[said.kind].decides?.[said.code];
  if (!words) return null;
  const of = { ...said, values: { ...said.numbers, ...said.evidence } };
  return { accept: wordsOf(words.accept, language, of), reject: wordsOf(words.reject, language, of) };
}

export const limitOf = (said: Said, language: Language): string =>
  wordsOf(kinds[said.kind].limit, language, { ...said, values: { ...said.evidence, ...said.numbers } });
