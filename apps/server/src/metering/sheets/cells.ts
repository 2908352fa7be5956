import { baseStationModels, gatewayModels, meterModels } from "@metrum/catalogue";
import { fieldFault, type FieldFault } from "@metrum/contract/core";
import type { SheetKind, ThingKind } from "@metrum/contract/metering";
import { interfaces, languages, pointTypes, type Language } from "@metrum/vocabulary";
import { changedNumber, commaIn, keepsDigits, readNumber, type SheetCell } from "#core";
import type { CellAs, FieldOfSheet } from "./fields.ts";
import { ratioIn } from "./ratio.ts";

/** The value of a cell as its call takes it, nothing for an empty one, or its fault. */
export type CellValue = { readonly value: unknown } | { readonly fault: FieldFault } | undefined;

/** Ids by name, in lower case; null if several things have it. */
type Names = ReadonlyMap<string, number | null>;
/** Numbers of gateways by their number or name, in lower case; null if several have it. */
export type GatewayNumbers = ReadonlyMap<string, string | null>;

/**
 * Reads a cell for its field. Cells are trimmed (XLS-003); empty ones, `null` and a 0 that is no number of a
 * numeric column are empty (XLS-004).
 */
export function valueOf(field: FieldOfSheet, cell: SheetCell, of: KnownNames): CellValue {
  const text = String(cell ?? "").trim();
  if (text === "" || text.toLowerCase() === "null") return undefined;
  if (errorText.test(text)) return { fault: fieldFault("cell_error", { text }) };
  if (field.as === "number") return numberOf(text, of.language);
  if (field.as === "ratio") return ratioOf(cell, text, of.language);
  if (field.as === "minutes") return secondsOf(text, of.language);
  if (field.as === "yes") return yesOf(text);
  return text === "0" ? undefined : namedOf(field.as, { cell, text }, of);
}

/** What cells of some fields name. */
export interface KnownNames {
  /** Of the person who imports: that of the decimal mark. */
  readonly language: Language;
  readonly kind: SheetKind;
  readonly stations: Names;
  readonly gateways: GatewayNumbers;
}

function namedOf(
  as: Exclude<CellAs, "number" | "ratio" | "minutes" | "yes">,
  { cell, text }: { readonly cell: SheetCell; readonly text: string },
  of: KnownNames,
): CellValue {
  switch (as) {
    case "text":
      return { value: text };
    case "number_text":
      return numberTextOf(cell, text);
    case "gateway":
      return gatewayOf(of.gateways, cell, text);
    case "model":
      return modelOf(of.kind === "objects" ? "devices" : of.kind, text);
    case "interface":
      return idOf(interfaceNames, text, "unknown_interface");
    case "station":
      return idOf(of.stations, text, "unknown_station");
    case "resource":
      return idOf(resourceNames, text, "unknown_resource");
    case "day":
      return dayOfText(text);
  }
}

/** What Excel shows for a formula that has no value, in English and in Russian. */
const errorText =
  /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|Н\/Д|ССЫЛКА!|ЗНАЧ!|ДЕЛ\/0!|ИМЯ\?|ПУСТО!|ЧИСЛО!)$/i;
/** A number that identifies something, as it was written; refused if the spreadsheet has changed it. */
function numberTextOf(cell: SheetCell, text: string): CellValue {
  const change = changedNumber(cell, text);
  if (change) return { fault: fieldFault(change) };
  // Joiners of letters have no width either, and a number has no letters to join.
  return { value: text.replaceAll(/[\u200c\u200d]/g, "") };
}

/** A gateway by its number, or by the name that only it has. */
function gatewayOf(gateways: GatewayNumbers, cell: SheetCell, text: string): CellValue {
  const number = gateways.get(text.toLowerCase());
  if (number === null) return { fault: fieldFault("gateway_names") };
  return number === undefined ? numberTextOf(cell, text) : { value: number };
}

function secondsOf(text: string, language: Language): CellValue {
  const minutes = numberOf(text, language);
  return minutes && "value" in minutes ? { value: Number(minutes.value) * 60 } : minutes;
}

function numberOf(text: string, language: Language): CellValue {
  const read = readNumber(text, commaIn(language));
  if ("fault" in read)
    return {
      fault: read.fault === "unsure" ? fieldFault("number_unsure", { text }) : fieldFault("number_needed"),
    };
  const value = Number(read.text);
  return keepsDigits(value, read.text) ? { value } : { fault: fieldFault("digits_many") };
}

/** Excel makes a day of 20/5. */
function ratioOf(cell: SheetCell, text: string, language: Language): CellValue {
  const plain = numberOf(text, language);
  if (plain && ("value" in plain || plain.fault.fault !== "number_needed")) return plain;
  if (changedNumber(cell, text) === "date_for_number") return { fault: fieldFault("date_for_number") };
  const value = ratioIn(text);
  return value === undefined ? { fault: fieldFault("ratio_needed") } : { value };
}

const yes = new Set(["1", "true", "yes", "да", "истина", "тийм", "үнэн", "+"]);
const no = new Set(["0", "false", "no", "нет", "ложь", "үгүй", "худал", "-"]);

function yesOf(text: string): CellValue {
  const word = text.toLowerCase();
  if (yes.has(word)) return { value: true };
  return no.has(word) ? { value: false } : { fault: fieldFault("yes_or_no_needed") };
}

function idOf(
  names: Names,
  text: string,
  code: "unknown_model" | "unknown_interface" | "unknown_station" | "unknown_resource",
): CellValue {
  const id = names.get(text.toLowerCase());
  return id === undefined || id === null ? { fault: fieldFault(code) } : { value: id };
}

interface Titled {
  readonly id: number;
  readonly brand: string;
  readonly title: string;
}

/** By "Brand Title", and by the title alone where no other model has it; also by id. */
function namesOf(models: readonly Titled[]): Names {
  const names = new Map<string, number | null>();
  for (const { id, brand, title } of models) {
    const short = title.toLowerCase();
    names.set(short, names.has(short) ? null : id);
    names.set(`${brand} ${title}`.toLowerCase(), id);
  }
  for (const { id } of models) names.set(String(id), id);
  return names;
}

const models: Readonly<Record<ThingKind, readonly Titled[]>> = {
  devices: meterModels,
  gateways: gatewayModels,
  base_stations: baseStationModels,
};
const modelNames: Readonly<Record<ThingKind, Names>> = {
  devices: namesOf(meterModels),
  gateways: namesOf(gatewayModels),
  base_stations: namesOf(baseStationModels),
};

/** Models named to who has written a part of a name, and letters that are such a part. */
const mostAlike = 4;
const leastLetters = 3;

/** A model by its name; a part of a name is not taken for it, but the models that have it are named. */
function modelOf(kind: ThingKind, text: string): CellValue {
  const part = text.toLowerCase();
  const alike = models[kind]
    .map(({ brand, title }) => `${brand} ${title}`)
    .filter((name) => part.length >= leastLetters && name.toLowerCase().includes(part))
    .slice(0, mostAlike);
  const found = idOf(modelNames[kind], text, "unknown_model");
  if (alike.length === 0 || found === undefined || "value" in found) return found;
  return { fault: fieldFault("model_like", { names: alike.join(", ") }) };
}

/** Days since 1970 of 2026-01-31 or 31.01.2026; a time of the day is left out. */
function dayOfText(text: string): CellValue {
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(text) ?? [];
  const [, day, month, year] = /^(\d{1,2})\.(\d{2})\.(\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/.exec(text) ?? [];
  const iso = `${y ?? year ?? ""}-${m ?? month ?? ""}-${d ?? day?.padStart(2, "0") ?? ""}`;
  const at = Date.parse(`${iso}T00:00:00Z`);
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso);
  return isDay ? { value: at / 86_400_000 } : { fault: fieldFault("day_needed") };
}

const resourceNames: Names = new Map(
  pointTypes.flatMap(({ id, title }) => [
    [String(id), id] as const,
    ...languages.map((each) => [title[each].toLowerCase(), id] as const),
  ]),
);

const interfaceNames: Names = new Map(
  interfaces.flatMap(({ id, title }) => [
    [String(id), id] as const,
    ...languages.map((each) => [title[each].toLowerCase(), id] as const),
  ]),
);
