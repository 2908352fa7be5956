import { ByteWriter, fromHex } from "../core/bytes.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { decodeMbus } from "./decode.ts";
import { address, control, longFrame, shortFrame } from "./frame.ts";
import { decodeRecords } from "./records.ts";

/** Record lists made from the standard's rules: every coding, extension, date type and special DIF occurs. */
const recordLists: readonly string[] = [
  // Heat meter: BCD and integers, error flags, date-time, storage 1 with its date.
  "0c06 78563412 0c13 01000000 0b3b 270100 0a5a 4304 0a5e 5102 046d 2f0b 7d3b 4c06 00000000 426c 7f3c 02fd17 0000",
  // Electricity: tariffs and subunits by DIFE, voltages and currents, a phase by FC, float, 48 and 64 bit
  // integers.
  "8410 03 e8030000 8420 03 d0070000 84d040 03 01000000 02fd48 fc08 03fd59 9cffff 04fdc8fc01 fc080000 052b 0000c03f 0603 0100000000ff 0703 0102030405060708",
  // Texts, binary and BCD of variable length; unit as text with a correction behind it; a date of type I and
  // a time of type J.
  "0d78 05 3534333231 0dfd0c c3 563412 0dfd11 d2 3412 0dfd3a e3 010203 0dff01 f4 0000c03f 02fc 03 485225 74 3412 066d 1e2d0b 7d3b 00 036d 1e2d0b",
  // Negative BCD, missing BCD, record errors, limits and durations, additive constant, maker's chain,
  // fillers.
  "2f2f 0a5a 01f0 0c13 ffffffff 0c9318 00000000 02db48 1000 02db50 0500 02db4a 7f3c 04937b 0a000000 01ffe1ff01 0d 2f2f",
  // Storage beyond 32 bits by ten DIFE, maker's data at the end.
  "84ffffffffffffffffff7f 13 01000000 0f 0102030405",
  // Announces another telegram.
  "04fb01 10000000 04fb8101 10000000 01fd7d 05 1f",
];

const header = fromHex("78563412 2d2c 01 04 2a 00 0000");

const answer = (ci: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const data = parts.reduce((writer, part) => writer.raw(part), new ByteWriter());
  return longFrame(control.rspUd, 5, ci, data.finish());
};

const frames: readonly Uint8Array[] = [
  ...recordLists.map((records) => answer(0x72, header, fromHex(records))),
  answer(0x7a, header.subarray(8), fromHex(recordLists[0] ?? "")),
  answer(0x78, fromHex(recordLists[1] ?? "")),
  answer(0x73, fromHex("78563412 0a 00 e9 7e 01000000 35010000")),
  answer(0x76, fromHex("12345678 2c2d 01 04 2a 00 0000 04 03 00000102")),
  answer(0x70, Uint8Array.of(8)),
  longFrame(control.sndUd, address.selected, 0x52, fromHex("ffffffffffffffff")),
  shortFrame(control.reqUd2, 5),
];

/** A frame with a repaired checksum, so that mutated bytes reach the records. */
function mended(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const sum = copy.subarray(4, -2).reduce((total, byte) => (total + byte) & 0xff, 0);
  if (copy.length > 6) copy[copy.length - 2] = sum;
  return copy;
}

/**
 * Complete frames (with repaired checksums, at which random changes would otherwise stop), and bare record
 * lists.
 */
export const mbusFuzz: readonly FuzzTarget[] = [
  { name: "mbus", seeds: frames, decode: (bytes) => decodeMbus(mended(bytes), { trace: [] }) },
  { name: "mbus-raw-frame", seeds: frames, decode: (bytes) => decodeMbus(bytes) },
  {
    name: "mbus-records",
    seeds: recordLists.map(fromHex),
    decode: (bytes) => decodeRecords(bytes, { trace: [] }),
  },
];
