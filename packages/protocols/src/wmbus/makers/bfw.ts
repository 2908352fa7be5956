import type { TraceName } from "@metrum/vocabulary";
import { ByteWriter, type ByteReader } from "../../core/bytes.ts";
import type { MbusRecord } from "../../mbus/records.ts";
import { addressOf } from "../address.ts";
import { codeOf, namedRecord, recordOf, telegramOf, type MakersLayout } from "./layout.ts";

const now = codeOf("03 6E");
const due = codeOf("43 6E");
const contentBytes = 40;
const unknownHead = 2;
const months = 18;

/**
 * BFW 240 radio (heat cost allocator): a manufacturer-specific layout where records of a standard telegram
 * would be, so that a reader who takes it for records sees false masses and energies.
 * Source: the public reader wmbusmeters (driver bfw240radio), checked on its telegrams; no document of the
 * maker was at hand.
 * Layout behind 2F 2F: 2 bytes without known meaning, units of the last period 2, of this period 2, 2 without
 * known meaning, 18 past months of 12 bits each in pairs of 3 bytes, oldest first (low byte of the older,
 * high bits of both, low byte of the newer), date 3 (day, month, year in BCD); other numbers have the high
 * byte first. Errors: as `MakersLayout`.
 */
export const bfw240: MakersLayout = {
  name: "BFW 240 radio",
  devices: [{ manufacturer: "BFW", versions: [0x02], media: [0x08] }],
  place: "records",
  read(reader) {
    if (reader.remaining !== contentBytes)
      return {
        records: [],
        warnings: [`${String(reader.remaining)} bytes are not the layout of this maker`],
      };
    reader.take(2 + unknownHead, "not_known");
    const last = word(reader, "units_last_period");
    const units = word(reader, "units_this_period");
    reader.take(2, "not_known");
    const past = pastMonths(reader);
    reader.take(3, "date");
    const records = [recordOf(now, units.value, units), recordOf(due, last.value, last), ...past];
    return { records, warnings: [] };
  },
  build(plan) {
    const writer = new ByteWriter().raw([plan.accessNumber, 0, 0, 0]).raw([0x2f, 0x2f, 0, 0x1f]);
    writer.u16be(counted(plan.value("43 6E"))).u16be(counted(plan.value("03 6E")));
    const date = new Date(plan.local * 1000);
    const parts = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear() % 100];
    writer
      .raw(new Uint8Array(2 + (months * 3) / 2))
      .raw(parts.map((part) => Math.floor(part / 10) * 16 + (part % 10)));
    return telegramOf(addressOf(plan), 0x7a, writer.finish());
  },
};

const counted = (value: number): number => Math.max(0, Math.round(value)) % 2 ** 16;

function word(reader: ByteReader, name: TraceName): { readonly raw: Uint8Array; readonly value: number } {
  const start = reader.position;
  const value = reader.u16be(name);
  return { raw: reader.bytes.slice(start, reader.position), value };
}

/** The newest month first. */
function pastMonths(reader: ByteReader): MbusRecord[] {
  const records: MbusRecord[] = [];
  for (let at = 0; at < months; at += 2) {
    const raw = reader.take(3, "units_past_months");
    const [first = 0, middle = 0, last = 0] = raw;
    const [older, newer] = [((middle >> 4) << 8) | first, ((middle & 0x0f) << 8) | last];
    for (const [back, value] of [
      [months - at, older],
      [months - at - 1, newer],
    ] as const)
      records.push(namedRecord(`H.C.A., ${String(back)} months ago`, "Units for H.C.A.", { value, raw }));
  }
  return records.toReversed();
}
