import { ByteReader, ByteWriter } from "../../core/bytes.ts";
import { encodeDateG } from "../../mbus/dataTypes.ts";
import type { MbusRecord } from "../../mbus/records.ts";
import { addressOf } from "../address.ts";
import { descramble, diehlSeeds, scrambled } from "./diehl.ts";
import {
  codeOf,
  dateRecord,
  mostLitres,
  namedRecord,
  recordOf,
  telegramOf,
  type MakersContent,
  type MakersFrame,
  type MakersLayout,
} from "./layout.ts";

const total = codeOf("04 13");
const monthEnd = codeOf("44 13");
const monthDate = codeOf("42 6C");
const checkByte = 0x4b;
const headerBytes = 4;

/**
 * Diehl IZAR (PRIOS, water).
 * Source: the public reader wmbusmeters (driver izar), checked on its telegrams; no documentation of the
 * manufacturer was at hand.
 * Layout behind CI A0 to A7: period of sending (bits 0 to 3: 4 s times a power of two; bit 7 an alarm) 1,
 * battery in half years (bits 0 to 4) and alarms 1, alarms 1, one byte more, then scrambled (`descramble`):
 * 4B, total in litres 4, and where there is more, total at the end of the last month 4 and its date 2 (type
 * G); low byte first.
 * What does not begin with 4B, or gives a date or a number that cannot be, was not opened: no number. Errors:
 * as `MakersLayout`.
 */
export const izar: MakersLayout = {
  name: "Diehl IZAR (PRIOS)",
  devices: ["DME", "HYD", "SAP"].map((manufacturer) => ({ manufacturer })),
  place: "ci",
  read,
  build(plan) {
    const address = addressOf(plan);
    // Version and medium are before the number.
    const swapped = [...address.subarray(0, 2), ...address.subarray(6, 8), ...address.subarray(2, 6)];
    const litres = Math.round(plan.value("04 13") * 1000) % (mostLitres + 1);
    const date = new Date(plan.local * 1000);
    const lastMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0) / 1000;
    const content = new ByteWriter().raw([0x01, 0x14, 0, 0]).u8(checkByte).u32le(litres).u32le(litres);
    const frame = telegramOf(Uint8Array.from(swapped), 0xa1, content.raw(encodeDateG(lastMonth)).finish());
    return scrambled(frame, plan.key);
  },
};

function read(reader: ByteReader, { frame, ciAt, key }: MakersFrame): MakersContent {
  const failed = (words: string): MakersContent => ({ records: [], warnings: [words], isProtected: true });
  if (ciAt !== 10) return failed("PRIOS behind another layer is not known");
  const period = reader.u8("sending_period");
  const battery = reader.u8("battery_and_alarms");
  const third = reader.u8("alarms");
  reader.u8("not_known");
  reader.take(reader.remaining, "scrambled");
  const found = diehlSeeds(key)
    .map((seed) => contentOf(descramble(frame, seed)))
    .find((each) => each !== undefined);
  if (found === undefined)
    return failed(
      key === undefined ? "no public key opens the content" : "the key does not open the content",
    );
  const seconds = 2 ** ((period & 0x0f) + 2);
  return {
    records: [
      ...found,
      namedRecord("Remaining battery life", "year", {
        value: (battery & 0x1f) / 2,
        raw: Uint8Array.of(battery),
      }),
      namedRecord("Period of sending", "s", { value: seconds, raw: Uint8Array.of(period) }),
    ],
    warnings: alarmsOf(period, battery, third),
    isProtected: true,
  };
}

/** The values after the check byte; undefined for a wrong key. */
function contentOf(plain: Uint8Array): MbusRecord[] | undefined {
  if (plain[0] !== checkByte || plain.length < 1 + headerBytes) return undefined;
  const reader = new ByteReader(plain.subarray(1));
  const now = litresOf(reader);
  if (now.litres > mostLitres) return undefined;
  const records = [recordOf(total, now.litres / 1000, now)];
  if (reader.remaining < 6) return records;
  const month = litresOf(reader);
  const date = dateRecord(monthDate, reader.take(2));
  const isUnset = date.raw.every((byte) => byte === 0 || byte === 0xff);
  if (month.litres > mostLitres || (date.value === null && !isUnset)) return undefined;
  return [...records, recordOf(monthEnd, month.litres / 1000, month), date];
}

function litresOf(reader: ByteReader): { readonly raw: Uint8Array; readonly litres: number } {
  const start = reader.position;
  const litres = reader.u32le();
  return { raw: reader.bytes.slice(start, reader.position), litres };
}

/** Words for the alarm bits of the three bytes before the content. */
function alarmsOf(first: number, second: number, third: number): string[] {
  const flags = [
    [first, 0x80, "general alarm"],
    [second, 0x80, "leakage"],
    [second, 0x40, "leakage before"],
    [second, 0x20, "meter blocked"],
    [third, 0x80, "backflow"],
    [third, 0x40, "underflow"],
    [third, 0x20, "overflow"],
    [third, 0x10, "under water"],
    [third, 0x08, "sensor tampered with"],
    [third, 0x04, "sensor tampered with before"],
    [third, 0x02, "mechanical tampering"],
    [third, 0x01, "mechanical tampering before"],
  ] as const;
  return flags.flatMap(([byte, mask, word]) => ((byte & mask) === 0 ? [] : [`alarm: ${word}`]));
}
