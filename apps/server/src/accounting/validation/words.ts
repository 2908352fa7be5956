import {
  fieldOf,
  isMessageType,
  messageTypes,
  resourceOfGroup,
  units,
  type FieldName,
  type Language,
  type Source,
  type Text,
} from "@metrum/vocabulary";
import { offsetSec } from "#core";
import { sourceName } from "#metering/messages";
import { kinds } from "./kinds/index.ts";
import type { Evidence, Numbers } from "./judged.ts";
import type { ExceptionRow } from "./listStore.ts";
import { profileField } from "./series.ts";

const locales: Readonly<Record<Language, string>> = { ru: "ru-RU", en: "en-GB", mn: "mn-MN" };

/** A number as the language writes it, with at most three decimals. */
export function numberText(value: number, language: Language): string {
  const text = new Intl.NumberFormat(language === "en" ? "fr-FR" : locales[language], {
    maximumFractionDigits: Math.abs(value) < 1 ? 4 : 3,
  }).format(value);
  return language === "en" ? text.replace(",", ".").replaceAll("\u202f", " ") : text;
}

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
    if (count > 0) parts.push(`${numberText(count, language)} ${title[language]}`);
  }
  return clockWords[offset > 0 ? "ahead" : "behind"][language].replace("{time}", parts.join(" "));
}

/** What words are put for: the values by name, with the zone of instants and the unit of amounts. */
export interface Filling {
  readonly values: Readonly<Record<string, number | string>>;
  readonly zone?: string;
  readonly unit?: Text;
}

/** The number with a unit, which never stands alone on the next line. */
function withUnit(shown: string, unit: Text | undefined, language: Language): string {
  const title = unit?.[language] ?? "";
  return title === "" || title === "°" ? `${shown}${title}` : `${shown}\u00a0${title}`;
}

const unitByKey = (key: string): Text | undefined =>
  Object.hasOwn(units, key) ? units[key as keyof typeof units] : undefined;

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
  return numberText(value, language);
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
    const shown = meaningOf(name, value, { language, zone });
    if (key !== undefined) return withUnit(shown, key === "" ? unit : unitByKey(key), language);
    return one === undefined || other === undefined ? shown : `${shown} ${value === 1 ? one : other}`;
  };
  return text[language].replaceAll(placeholder, put);
}

/** The unit of amounts of an exception: consumption of a power profile is energy. */
export const unitOfField = (field: FieldName, deviceGroupId: number): Text =>
  units[field === profileField ? "kWh" : fieldOf(field, resourceOfGroup(deviceGroupId).key).unit];

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
