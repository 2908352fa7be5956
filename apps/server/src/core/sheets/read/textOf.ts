import { SheetFault } from "./fault.ts";

/** Code pages in which Russian programs write text, the most frequent first. */
const codePages = ["windows-1251", "ibm866", "koi8-r", "x-mac-cyrillic"] as const;

/**
 * Text of a file: UTF-8 or UTF-16, with or without its mark, else the Cyrillic code page whose letters make words. The
 * detectors of the trade need longer texts: they take a file of a few headings for Big5, or know no code page 866.
 * Throws SheetFault.
 */
export function textOf(bytes: Uint8Array): string {
  const text = decoded(bytes);
  if (text.includes("\0")) throw new SheetFault("not_a_table", "a NUL character");
  return text;
}

function decoded(bytes: Uint8Array): string {
  const wide = wideOf(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const sample = bytes.subarray(0, sampledBytes);
  const scored = codePages.map((page) => ({ page, score: scoreOf(new TextDecoder(page).decode(sample)) }));
  const { page } = scored.reduce((best, next) => (next.score > best.score ? next : best));
  return new TextDecoder(page).decode(bytes);
}

const sampledBytes = 64 * 1024;

/** UTF-16 by its mark, or by the zeros beside its Latin letters and separators. */
function wideOf(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (const [at, byte] of bytes.subarray(0, sampledBytes).entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > 0 && even === 0) return "utf-16le";
  return even > 0 && odd === 0 ? "utf-16be" : undefined;
}

/** How much a text is made of Russian words: letters of one case beside each other, frequent ones, no other signs. */
function scoreOf(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const words = count(/[а-яё](?=[а-яё])/g) + count(/[А-ЯЁ](?=[А-ЯЁа-яё])/g);
  const broken = count(/[а-яё](?=[А-ЯЁ])/g);
  const strange = count(/[^\t\n\r -~А-Яа-яЁё№«»°²³–—\u00a0]/g);
  return words + count(/[оеаинт]/gi) - 2 * broken - 2 * strange;
}
