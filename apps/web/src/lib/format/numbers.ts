import type { Language } from "#lib/i18n";

const groups = "\u00A0";
const minus = "\u2212";

interface Digits {
  readonly least?: number;
  readonly most?: number;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf({ least = 0, most = 3 }: Digits): Intl.NumberFormat {
  const key = `${String(least)}-${String(most)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: least,
    maximumFractionDigits: Math.max(least, most),
  });
  formats.set(key, made);
  return made;
}

/** Comma in Russian, point in English and Mongolian. */
export function decimalMark(language: Language): "," | "." {
  return language === "ru" ? "," : ".";
}

/** Groups of three with a no-break space in every language, so that a comma is never ambiguous. */
export function formatNumber(value: number, language: Language, digits: Digits = {}): string {
  if (!Number.isFinite(value)) return "—";
  const mark = decimalMark(language);
  // What is rounded to nothing has no sign.
  return formatOf(digits)
    .format(value)
    .replace(/^-(?=[0.]+$)/, "")
    .replaceAll(/[,.-]/g, (sign) => (sign === "," ? groups : sign === "." ? mark : minus));
}

/** The text of a number, with a plus where it is positive. */
export const withSign = (value: number, text: string): string => (value > 0 ? `+${text}` : text);

/**
 * Parses typed or pasted text: any kind of space between groups, comma or point, either minus. Null if it is
 * no number.
 */
export function parseNumber(text: string): number | null {
  const plain = text.replaceAll(/[\s\u00A0\u202F\u2009]/g, "").replace(minus, "-");
  const single = /^-?\d*[.,]?\d+$|^-?\d+[.,]$/.test(plain);
  if (!single) return null;
  const value = Number(plain.replace(",", "."));
  return Number.isFinite(value) ? value : null;
}
