import { fieldOf, isFieldName } from "../fields.ts";
import type { ResourceKey } from "../resources.ts";
import type { Language, Text } from "../text.ts";
import { units } from "../units.ts";
import { traceCodes } from "./codes.ts";
import { dataSetWords } from "./dataSets.ts";
import type { TraceLook, TraceWords } from "./table.ts";
import { traceParts, type TraceRegister } from "./types.ts";
import { traceUnit } from "./units.ts";

/** A term as it comes over the wire: of this release, of an older or of a newer one. */
export interface ReadTerm {
  readonly code: string;
  readonly n?: number | string | undefined;
  readonly field?: string | undefined;
  readonly register?: TraceRegister | undefined;
  readonly path?: string | undefined;
  readonly part?: string | undefined;
  readonly phase?: number | undefined;
  readonly unit?: string | undefined;
  readonly count?: number | undefined;
  readonly detail?: string | undefined;
  readonly isDecrypted?: boolean | undefined;
  readonly isContinued?: boolean | undefined;
  readonly isUnchecked?: boolean | undefined;
}
export type ReadName = string | ReadTerm;

/** Whose words they are to be, and what the device measures. */
export interface TraceReader {
  readonly language: Language;
  readonly resource: ResourceKey;
}

export interface NameWords {
  readonly name: string;
  /** How the bytes become the value, if the driver explains it. */
  readonly how: string;
  readonly unit: string;
}

const text = (ru: string, en: string, mn: string): Text => ({ ru, en, mn });
const phrases = {
  phase: text("{what}, фаза {n}", "{what}, phase {n}", "{what}, {n} фаз"),
  sum: text("{what}, сумма", "{what}, total", "{what}, нийлбэр"),
  continued: text("{what}, продолжение", "{what}, continued", "{what}, үргэлжлэл"),
  decrypted: text("расшифровано", "decrypted", "тайлсан"),
  unchecked: text(
    "не проверено: пароль скрыт",
    "not checked: the password is masked",
    "шалгаагүй: нууц үгийг нуусан",
  ),
  input: text("входной регистр {n}, {what}", "input register {n}, {what}", "оролтын регистр {n}, {what}"),
  holding: text(
    "регистр хранения {n}, {what}",
    "holding register {n}, {what}",
    "хадгалах регистр {n}, {what}",
  ),
} as const;

const columns = { ru: 0, en: 1, mn: 2 } as const;
export const wordsIn = (entry: TraceWords[string], language: Language): string => entry[columns[language]];

/** How phases are called. */
const letters = ["A", "B", "C"] as const;

export const termOf = (name: ReadName): ReadTerm => (typeof name === "string" ? { code: name } : name);

/** How a name is looked at; undefined for plain data, and for a code of another release. */
export const traceLook = (name: ReadName): TraceLook | undefined => traceCodes.get(termOf(name).code)?.[3];

/**
 * Words for a stretch of a frame. A code that this release does not know is shown as it is: a wrong word
 * would be worse.
 */
export function traceWords(name: ReadName, reader: TraceReader): NameWords {
  const term = termOf(name);
  const { language } = reader;
  const entry = traceCodes.get(term.code);
  const template = entry ? wordsIn(entry, language) : term.code;
  const unit = term.unit === undefined ? "" : traceUnit(term.unit, language);
  const own =
    ownWords(term, reader) ?? filled(template, { n: term.n, count: term.count, detail: term.detail, unit });
  return {
    name: around(behind(own, term, template), term, language),
    how: howWords(term, language),
    unit: template.includes("{unit}") ? "" : unit || fieldUnit(term, reader),
  };
}

/** Texts in other tables of the vocabulary. */
function ownWords({ code, field = "", n = "" }: ReadTerm, reader: TraceReader): string | undefined {
  if (code === "data_set") return dataSetWords(String(n), reader);
  if (code !== "field") return undefined;
  return isFieldName(field) ? fieldOf(field, reader.resource).title[reader.language] : field;
}

const fieldUnit = ({ field = "" }: ReadTerm, { language, resource }: TraceReader): string =>
  isFieldName(field) ? units[fieldOf(field, resource).unit][language] : "";

type Filling = Readonly<
  Partial<Record<"n" | "count" | "unit" | "detail" | "what", string | number | undefined>>
>;

function filled(template: string, values: Filling): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, key: keyof Filling) => String(values[key] ?? ""));
}

/** The place in a structure, and what the protocol adds in its own words. */
function behind(own: string, { path, detail }: ReadTerm, template: string): string {
  const placed = path === undefined ? own : `${own} ${path}`;
  return detail === undefined || template.includes("{detail}") ? placed : `${placed}, ${detail}`;
}

function around(own: string, { part = "", phase, isContinued }: ReadTerm, language: Language): string {
  const parts: TraceWords = traceParts;
  const entry = Object.hasOwn(parts, part) ? parts[part] : undefined;
  let what = entry ? filled(wordsIn(entry, language), { what: own }) : own;
  if (phase === 0) what = filled(phrases.sum[language], { what });
  else if (phase !== undefined)
    what = filled(phrases.phase[language], { what, n: letters[phase - 1] ?? phase });
  return isContinued === true ? filled(phrases.continued[language], { what }) : what;
}

function howWords({ register, isDecrypted, isUnchecked }: ReadTerm, language: Language): string {
  if (isDecrypted === true) return phrases.decrypted[language];
  if (isUnchecked === true) return phrases.unchecked[language];
  if (!register) return "";
  const address = `0x${register.address.toString(16).toUpperCase().padStart(4, "0")}`;
  return filled(phrases[register.table][language], { n: address, what: register.type });
}
