import { unzipSync, type UnzipFileInfo } from "fflate";
import { SheetFault, sheetBounds } from "./fault.ts";

/** Below this size a high ratio is no attack: empty sheets consist of repetitions. */
const harmlessBytes = 1024 * 1024;
/** Parts that hold cells, texts and formats; pictures and the like stay packed. */
const isRead = /\.(xml|rels|vml)$/i;
const isUnused = /(^|[/\\])(media|theme|drawings|charts|embeddings|customxml|thumbnails)[/\\]/i;

/**
 * The parts of a packed workbook that are needed to read it. Its directory is checked before anything is unpacked; a
 * part is cut off at the size that the directory states. Throws SheetFault.
 */
export function partsOf(bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  const wanted = wantedOf(bytes);
  const parts = unzipped(bytes, ({ name }) => wanted.has(name));
  for (const [name, part] of Object.entries(parts)) {
    const text = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    if (text.includes("<!DOCTYPE") || text.includes("<!ENTITY")) throw new SheetFault("has_entities");
    if (text.includes("&#")) parts[name] = Buffer.from(withLetters(text.toString("utf8")));
  }
  return parts;
}

/** The library cuts letters that are written by their number to eight bits. */
const withLetters = (text: string): string =>
  text.replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (whole, hex: string | undefined, decimal: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 127 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

function wantedOf(bytes: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>();
  let [entries, unpacked] = [0, 0];
  unzipped(bytes, ({ name, size, originalSize }) => {
    if ((entries += 1) > sheetBounds.entries) throw new SheetFault("too_large", "entries");
    if (/vbaProject\.bin$|(^|[/\\])(externalLinks|Basic)[/\\]/i.test(name))
      throw new SheetFault("has_macros", name);
    if (!isRead.test(name) || isUnused.test(name)) return false;
    if (name === "content.xml" && originalSize > sheetBounds.documentBytes)
      throw new SheetFault("format_large", name);
    unpacked += originalSize;
    const isBomb = originalSize > harmlessBytes && originalSize > size * sheetBounds.ratio;
    if (isBomb || unpacked > sheetBounds.unpackedBytes) throw new SheetFault("too_large", name);
    names.add(name);
    return false;
  });
  return names;
}

function unzipped(bytes: Uint8Array, filter: (entry: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof SheetFault) throw error;
    throw new SheetFault("not_a_table", "no archive");
  }
}
