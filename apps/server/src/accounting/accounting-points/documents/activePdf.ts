import { inflateSync } from "node:zlib";

/**
 * Names of a PDF by which a reader runs, opens or carries something: ISO 32000-2, 12.6.4 (actions), 7.11.4 (embedded
 * files), 12.7.8 (XFA), 13.7 (rich media).
 */
const active =
  /\/(?:JavaScript|JS|Launch|SubmitForm|ImportData|GoToE|EmbeddedFiles?|RichMedia|Rendition|XFA|AA)(?![A-Za-z0-9])/;

/** Bytes of unpacked objects; a file that unpacks to more cannot be examined. */
const mostUnpacked = 32 * 1024 * 1024;

/**
 * Whether a PDF has scripts, actions or files in it, or hides what it has: its objects are encrypted, or packed in
 * a way that is not read here.
 */
export function isActivePdf(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (active.test(plainNames(text))) return true;
  let left = mostUnpacked;
  for (const [, dictionary = "", start] of objectStreams(text)) {
    if (/\/Encrypt(?![A-Za-z])/.test(text) || !/\/FlateDecode(?![A-Za-z])/.test(dictionary)) return true;
    const unpacked = unpack(bytes.subarray(start), left);
    if (unpacked === undefined || active.test(plainNames(unpacked))) return true;
    left -= unpacked.length;
  }
  return false;
}

/** A name may have any of its characters as #hh. */
const plainNames = (text: string): string =>
  text.replaceAll(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Dictionaries of object streams, with the place where their bytes begin. */
function* objectStreams(text: string): Generator<readonly [string, string, number]> {
  for (const found of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const before = text.slice(Math.max(0, found.index - 2_000), found.index);
    const dictionary = plainNames(before.slice(before.lastIndexOf("obj") + 3));
    if (/\/ObjStm(?![A-Za-z])/.test(dictionary)) yield ["", dictionary, found.index + found[0].length];
  }
}

/** Undefined if it cannot be unpacked within the bound. Bytes behind the packed ones are no fault. */
function unpack(bytes: Buffer, most: number): string | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, most) }).toString("latin1");
  } catch {
    return undefined;
  }
}
