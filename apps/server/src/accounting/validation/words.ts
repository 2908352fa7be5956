import type { Language, Text } from "@metrum/vocabulary";
import { offsetSec } from "#core";
import { kinds } from "./kinds/index.ts";
import type { Evidence, Numbers } from "./judged.ts";
import type { ExceptionRow } from "./listStore.ts";

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

/** `{name}`, or `{name|value|values}`: the number with its noun. */
const placeholder = /\{(\w+)(?:\|([^|}]+)\|([^}]+))?\}/g;

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

/** Puts numbers into words: `{name}`; names that end with `_at` are instants, `offset` is that of a clock. */
export function filled(
  text: Text,
  language: Language,
  values: Readonly<Record<string, number | string>>,
  zone = "UTC",
): string {
  return text[language].replaceAll(placeholder, (whole, name: string, one?: string, other?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value === "string") return value;
    if (name === "offset") return clockText(value, language);
    const shown = name.endsWith("_at") ? momentText(value, zone) : numberText(value, language);
    return one === undefined || other === undefined ? shown : `${shown} ${value === 1 ? one : other}`;
  });
}

type Said = Pick<ExceptionRow, "kind" | "code" | "zone"> & {
  readonly evidence: Evidence;
  readonly numbers: Numbers;
};

/** What the rule saw, in words; an unknown code of an earlier release is shown as its rule. */
export function summaryOf({ kind, code, evidence, numbers, zone }: Said, language: Language): string {
  const words = kinds[kind].says[code];
  return words ? filled(words, language, { ...numbers, ...evidence }, zone) : kinds[kind].title[language];
}

export const limitOf = ({ kind, evidence, numbers, zone }: Said, language: Language): string =>
  filled(kinds[kind].limit, language, { ...evidence, ...numbers }, zone);
