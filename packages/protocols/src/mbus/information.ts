import type { TraceTerm } from "@metrum/vocabulary";
import { quantityTerm } from "./quantities.ts";
import type { ByteReader } from "../core/bytes.ts";
import { reversedText } from "./dataTypes.ts";
import {
  combinable,
  combinableExtension,
  fbTable,
  fdTable,
  primaryTable,
  reserved,
  type Modifier,
  type ValueMeaning,
} from "./vif.ts";

export const recordFunctions = ["instantaneous", "maximum", "minimum", "error"] as const;
export type RecordFunction = (typeof recordFunctions)[number];

/** Data information block: function, storage, tariff and coding of a value. */
export interface DataInformation {
  readonly function: RecordFunction;
  readonly storage: number;
  readonly tariff: number;
  readonly subunit: number;
  /** Low four bits of DIF. */
  readonly coding: number;
}

/** Value information block: the meaning with all its extensions applied. */
export interface ValueInformation extends ValueMeaning {
  /**
   * Words of the combinable VIFEs in order of sending ("forward", "phase L1", "per h"); `unit` is that of VIF
   * alone.
   */
  readonly modifiers: readonly string[];
  /** The complete description. */
  readonly words: string;
  /** Added to number x factor x 10^exponent. */
  readonly addend: number;
  /** Reason of the meter for a missing value. */
  readonly error?: string;
  /** The code itself is invalid: the data stays raw. */
  readonly isBroken: boolean;
}

const maxExtensions = 10;
const extension = 0x80;

/**
 * Reads DIF and its extensions; a special DIF (low bits F) is the caller's business.
 * Source: EN 13757-3, 6.3. Layout: DIF bit 7 extension, 6 lowest bit of storage, 5-4 function, 3-0 coding;
 * each of up to ten DIFE adds above: storage 3-0, tariff 5-4, subunit 6.
 * Errors: ProtocolError "unexpected" at the end of the bytes or at the eleventh DIFE.
 */
export function readDataInformation(reader: ByteReader): DataInformation {
  const dif = reader.u8("dif");
  let storage = (dif >> 6) & 1;
  let tariff = 0;
  let subunit = 0;
  let more = (dif & extension) !== 0;
  for (let at = 0; more; at++) {
    if (at === maxExtensions) reader.fail("more than 10 DIFE");
    const dife = reader.u8("dife");
    storage += (dife & 0x0f) * 2 ** (4 * at + 1);
    tariff += ((dife >> 4) & 3) * 4 ** at;
    subunit += ((dife >> 6) & 1) * 2 ** at;
    more = (dife & extension) !== 0;
  }
  return {
    function: recordFunctions[(dif >> 4) & 3] ?? "instantaneous",
    storage,
    tariff,
    subunit,
    coding: dif & 0x0f,
  };
}

/**
 * Reads VIF and its extensions.
 * Source: EN 13757-3, 6.4. Layout: VIF, bit 7 says that a VIFE follows, up to ten; FB and FD lead into the
 * extension tables; 7C and FC are followed by a length and the unit as text, last character first; after 7F
 * or FF the chain is manufacturer-specific.
 * Errors: ProtocolError "unexpected" at the end of the bytes or at the eleventh VIFE.
 */
export function readValueInformation(reader: ByteReader): ValueInformation {
  const start = reader.position;
  const codes = [reader.u8()];
  let text: string | undefined;
  if (((codes[0] ?? 0) & 0x7f) === 0x7c) text = reversedText(reader.take(reader.u8()));
  for (let last = codes[0] ?? 0; (last & extension) !== 0;) {
    if (codes.length > maxExtensions) reader.fail("more than 10 VIFE");
    last = reader.u8();
    codes.push(last);
  }
  const alone = codes.length === 1 && text === undefined ? singles[codes[0] ?? 0] : undefined;
  const information = alone ?? valueInformation(codes, text);
  reader.noteSince(start, "vif", { word: informationTerm(information) });
  return information;
}

/** Quantity and unit with what the extensions add. */
function informationTerm({ quantity, unit, modifiers }: ValueInformation): TraceTerm {
  const term = quantityTerm(quantity, unit);
  return modifiers.length === 0 ? term : { ...term, detail: modifiers.join(", ") };
}

function valueInformation(codes: readonly number[], text: string | undefined): ValueInformation {
  const { base, rest } = baseMeaning(codes, text);
  const found = base ?? reserved;
  const isMaker = found === primaryTable[0x7f];
  const modifiers = isMaker ? makerWords(rest) : readModifiers(rest);
  return applyModifiers(found, modifiers, base === undefined && codes.length === 1);
}

function baseMeaning(
  codes: readonly number[],
  text: string | undefined,
): { base: ValueMeaning | undefined; rest: readonly number[] } {
  const [first = 0, second = 0] = codes;
  if (text !== undefined)
    return {
      base: { quantity: text, unit: "-", exponent: 0, factor: 1, form: "number" },
      rest: codes.slice(1),
    };
  if (first === 0xfb) return { base: fbTable[second & 0x7f], rest: codes.slice(2) };
  if (first === 0xfd) return { base: fdTable[second & 0x7f], rest: codes.slice(2) };
  return { base: primaryTable[first & 0x7f], rest: codes.slice(1) };
}

const makerWords = (codes: readonly number[]): Modifier[] =>
  codes.map((code) => ({ label: `maker ${code.toString(16).padStart(2, "0")}` }));

function readModifiers(codes: readonly number[]): Modifier[] {
  const modifiers: Modifier[] = [];
  for (let at = 0; at < codes.length; at++) {
    const code = (codes[at] ?? 0) & 0x7f;
    if (code === 0x7c && at + 1 < codes.length) {
      at++;
      modifiers.push(combinableExtension((codes[at] ?? 0) & 0x7f));
      continue;
    }
    const modifier = combinable(code);
    if (modifier.isMaker) return [...modifiers, ...makerWords(codes.slice(at + 1))];
    modifiers.push(modifier);
  }
  return modifiers;
}

function applyModifiers(base: ValueMeaning, list: readonly Modifier[], isBroken: boolean): ValueInformation {
  let { unit, exponent, factor, form } = base;
  let addend = 0;
  let error: string | undefined;
  for (const modifier of list) {
    if (modifier.becomes !== undefined) {
      const { becomes } = modifier;
      form = becomes.form;
      exponent = 0;
      unit = becomes.form === "dateTime" ? "-" : becomes.unit;
      factor = becomes.form === "dateTime" ? 1 : becomes.factor;
    }
    exponent += modifier.exponent ?? 0;
    // The correction is in units of the VIF, so the scale gathered so far applies to it.
    if (modifier.addExponent !== undefined) addend += factor * 10 ** (exponent + modifier.addExponent);
    error ??= modifier.error;
  }
  const modifiers = list.flatMap((each) => (each.label === undefined ? [] : [each.label]));
  const { quantity } = base;
  const words = [quantity, unit, ...modifiers].filter((word) => word !== "").join(", ");
  const meaning = { quantity, unit, exponent, factor, form, modifiers, words, addend, isBroken };
  return error === undefined ? meaning : { ...meaning, error };
}

/** Meanings of a VIF without extensions, which most records have: made once. */
const singles: readonly ValueInformation[] = Array.from({ length: 0x80 }, (_, code) =>
  valueInformation([code], undefined),
);
