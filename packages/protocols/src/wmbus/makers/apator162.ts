import { ByteWriter, type ByteReader } from "../../core/bytes.ts";
import { addressOf } from "../address.ts";
import {
  codeOf,
  mostLitres,
  recordOf,
  telegramOf,
  tooLarge,
  type MakersContent,
  type MakersLayout,
} from "./layout.ts";

const total = codeOf("04 13");
const statusBytes = 7;
const totalTag = 0x10;
const padding = 0xff;
const mostCheckBytes = 4;
const leastCheckBytes = 2;

/** Number of data bytes after a tag. */
const sizes: Readonly<Record<number, number>> = {
  0x00: 4,
  0x01: 3,
  [totalTag]: 4,
  0x11: 2,
  0x40: 6,
  0x41: 2,
  0x42: 4,
  0x43: 2,
  0x44: 3,
  0x85: 11,
  0x88: 11,
  0x8a: 9,
  0x8b: 6,
  0x8c: 6,
  0x8e: 7,
  0x8f: 11,
  0xa0: 4,
  0xa1: 4,
  0xa2: 1,
  0xa3: 7,
  0xa4: 4,
  0xa5: 1,
  0xa6: 3,
  0xa9: 1,
  0xaf: 1,
  0xb0: 5,
  0xb1: 8,
  0xb2: 16,
  0xb3: 8,
  0xb4: 2,
  0xb5: 16,
  0xd0: 3,
  0xd3: 3,
  0xf0: 4,
};

function sizeOf(tag: number): number | undefined {
  // 71 to 7C: a byte, then two to thirteen past totals.
  if (tag >= 0x71 && tag <= 0x7c) return 1 + ((tag & 0x0f) + 1) * 4;
  if (tag >= 0x80 && tag <= 0x87) return sizes[tag] ?? 10;
  if ([0xa7, 0xa8, 0xaa, 0xab, 0xac, 0xad].includes(tag)) return 2;
  if ((tag >= 0xb6 && tag <= 0xbf) || (tag >= 0xc0 && tag <= 0xc7)) return 3;
  return sizes[tag];
}

/**
 * Apator AT-WMBUS-16-2 (water): tagged fields behind DIF 0F.
 * Source: field sizes of the public reader wmbusmeters (driver apator162), checked on its telegrams; no
 * documentation of the manufacturer was at hand.
 * Layout: status 7, then fields of a tag and data of a size given by the tag, low byte first, then FF up to
 * the end of the block, then a check of 2 or 4 bytes whose rule is not known. Tag 10 is the total in litres;
 * the other fields are walked over. A chain that does not end at the check gives no number. Errors: as
 * `MakersLayout`.
 */
export const apator162: MakersLayout = {
  name: "Apator 16-2",
  devices: [{ manufacturer: "APA", versions: [0x05], media: [0x06, 0x07] }],
  place: "data",
  read,
  build(plan) {
    const litres = Math.round(plan.value("04 13") * 1000) % (mostLitres + 1);
    const fields = new ByteWriter().u8(0x0f).raw(new Uint8Array(statusBytes));
    fields.u8(totalTag).u32le(litres).raw(new Uint8Array(leastCheckBytes));
    const header = Uint8Array.of(plan.accessNumber, 0, 0, 0);
    return telegramOf(addressOf(plan), 0x7a, [...header, ...fields.finish()]);
  },
};

interface Total {
  readonly litres: number;
  readonly raw: Uint8Array;
}

function read(reader: ByteReader): MakersContent {
  reader.take(statusBytes, "status");
  let found: Total | undefined;
  for (let size = nextSize(reader); size !== undefined; size = nextSize(reader)) {
    const field = readField(reader, size);
    found ??= field;
  }
  while (reader.peek() === padding && reader.remaining > leastCheckBytes) reader.u8("filler");
  if (reader.remaining < leastCheckBytes || reader.remaining > mostCheckBytes) {
    const words = `the maker's field ${tagName(reader.peek())} is not known: nothing of the telegram is taken`;
    return { records: [], warnings: [words] };
  }
  reader.take(reader.remaining, "makers_check");
  if (found === undefined) return { records: [], warnings: ["the maker's fields hold no total"] };
  const cubicMetres = found.litres / 1000;
  if (found.litres > mostLitres) return { records: [], warnings: [tooLarge(cubicMetres)] };
  return { records: [recordOf(total, cubicMetres, found)], warnings: [] };
}

/** Number of data bytes of the next field; undefined for an unknown or oversized one. */
function nextSize(reader: ByteReader): number | undefined {
  const tag = reader.peek();
  const size = tag === undefined || tag === padding ? undefined : sizeOf(tag);
  return size === undefined || reader.remaining < 1 + size + leastCheckBytes ? undefined : size;
}

function readField(reader: ByteReader, size: number): Total | undefined {
  const tag = reader.u8();
  const start = reader.position;
  if (tag === totalTag) {
    const litres = reader.u32le({ code: "total", unit: "l" });
    return { litres, raw: reader.bytes.slice(start, reader.position) };
  }
  reader.take(size, { code: "makers_field", n: tagName(tag) });
  return undefined;
}

const tagName = (tag: number | undefined): string => (tag ?? 0).toString(16).toUpperCase().padStart(2, "0");
