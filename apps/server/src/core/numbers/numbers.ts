import type { Language } from "@metrum/vocabulary";
import { decimalOf, unitsAt, type Decimal } from "./decimal.ts";

const noBreak = "\u00A0";
const trueMinus = "\u2212";

export const decimalMark = (language: Language): "," | "." => (language === "ru" ? "," : ".");

/** What a comma before three digits is in texts of people of this language. */
export const commaIn = (language: Language): "decimal" | "unsure" =>
  decimalMark(language) === "," ? "decimal" : "unsure";

/** Decimals of a text; the digits beyond `least` are left out where they are zeros. */
interface Digits {
  readonly least: number;
  readonly most: number;
}

/** A number as people of the language read it: groups of three with a no-break space, a true minus. */
export function numberText(value: number, language: Language, decimals: number | Digits): string {
  if (!Number.isFinite(value)) return "—";
  const { least, most } = typeof decimals === "number" ? { least: decimals, most: decimals } : decimals;
  const text = fixedText(decimalOf(value), most);
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, noBreak);
  const kept = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, "");
  return `${text.startsWith("-") ? trueMinus : ""}${grouped}${kept === "" ? "" : decimalMark(language)}${kept}`;
}

/** A decimal with exactly so many decimals, rounded half away from zero; what is rounded to nothing has no sign. */
export function fixedText(value: Decimal, decimals: number): string {
  const units = unitsAt(value, decimals);
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  return `${units < 0n ? "-" : ""}${whole}${decimals === 0 ? "" : `.${digits.slice(-decimals)}`}`;
}

/** A number that was read as a decimal text with a point, or why it was not. */
export type ReadNumber = { readonly text: string } | { readonly fault: "no_number" | "unsure" };

/** Longest text of a number, its groups and exponent included. */
const longest = 60;
/** Spaces that separate groups of three: Russian and Mongolian texts have narrow and wide no-break ones. */
const space = "[ \\u00a0\\u2007\\u2009\\u202f]";
const plain = /^[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d{1,2})?$/i;
const spaced = new RegExp(`^[-+]?\\d{1,3}(${space}\\d{3})+([.,]\\d+)?$`);
const withCommas = /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
/** One thousand two hundred thirty-four, or a fraction. */
const unsure = /^[-+]?[1-9]\d{0,2},\d{3}$/;

/**
 * Reads a number from the text of a cell: "1 234,5", "1234.5", "1,234.5", "1,234,567". A comma before three digits that
 * nothing else explains is a decimal mark only where the language or the file says so, else it is `unsure`.
 */
export function readNumber(given: string, comma: "decimal" | "unsure"): ReadNumber {
  const text = given.trim().replace(trueMinus, "-");
  if (text.length > longest) return { fault: "no_number" };
  if (unsure.test(text)) return comma === "decimal" ? { text: pointed(text) } : { fault: "unsure" };
  if (withCommas.test(text)) return { text: pointed(text.replaceAll(",", "")) };
  if (spaced.test(text)) return { text: pointed(text.replaceAll(new RegExp(space, "g"), "")) };
  return plain.test(text) ? { text: pointed(text) } : { fault: "no_number" };
}

/** With a point, without a plus, and with digits on both sides of the point. */
const pointed = (text: string): string =>
  text
    .replace(/^\+/, "")
    .replace(",", ".")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?=$|e)/i, "");
