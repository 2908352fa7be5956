import type { TraceName } from "@metrum/vocabulary";
import { ByteWriter, type ByteReader } from "../../core/bytes.ts";
import type { MbusRecord } from "../../mbus/records.ts";
import { encodeRecord } from "../../mbus/encode.ts";
import { addressOf } from "../address.ts";
import { codeOf, namedRecord, recordOf, telegramOf, type MakersLayout } from "./layout.ts";

const backflow = codeOf("04 93 3C");
const voltage = codeOf("02 FD 48");
const total = codeOf("0C 13");

const has = { battery: 0x01, fraud: 0x02, backflow: 0x04, months: 0x10, leak: 0x80 } as const;
/** Bits that occur in no recorded telegram. */
const unknown = 0x60;
/**
 * Set in a recorded telegram without months, where it changes nothing after the backflow; the position of its
 * data is unknown.
 */
const unplaced = 0x08;

/** Volts by the low four bits of the battery byte; 0, 14 and 15: full. */
const volts = [3.7, 1.9, 2.1, 2.2, 2.3, 2.4, 2.5, 2.65, 2.8, 2.9, 3.05, 3.2, 3.35, 3.5, 3.7, 3.7];

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/**
 * BMeters HYDRODIGIT (water): what the manufacturer appends to its standard records after DIF 0F.
 * Source: the public reader wmbusmeters (driver hydrodigit), checked on its telegrams; no document of the
 * maker was at hand.
 * Layout: contents 1, then the parts given by its bits, in this order: battery 1 (bit 0), fraud 1 and its
 * date 3 (bit 1), date of a leak 3 (bit 7), backflow 4 in litres (bit 2), registers at the ends of the twelve
 * months 3 each in 0.01 m³, FF FF FF none (bit 4); low byte first. Where another bit is set, only the battery
 * is sure of its place. Errors: as `MakersLayout`.
 */
export const hydrodigit: MakersLayout = {
  name: "BMeters HYDRODIGIT",
  devices: [{ manufacturer: "BMT", versions: [0x13, 0x15, 0x17], media: [0x06, 0x07] }],
  place: "data",
  read(reader) {
    const contents = reader.u8("contents");
    const records: MbusRecord[] = [];
    if (contents & has.battery) records.push(readBattery(reader));
    if ((contents & unknown) !== 0 || (contents & (unplaced | has.months)) === (unplaced | has.months)) {
      reader.take(reader.remaining, "makers_unread");
      const bits = contents.toString(16).toUpperCase().padStart(2, "0");
      return { records, warnings: [`contents ${bits} of the maker's data are not known`] };
    }
    if (contents & has.fraud) reader.take(4, "fraud");
    if (contents & has.leak) reader.take(3, "leak_date");
    if (contents & has.backflow) {
      const litres = numberOf(reader, 4, { code: "backflow", unit: "l" });
      records.push(recordOf(backflow, litres.value / 1000, litres));
    }
    if (contents & has.months) records.push(...monthNames.map((name, at) => readMonth(reader, name, at + 1)));
    reader.take(reader.remaining, "behind_makers_data");
    return { records, warnings: [] };
  },
  build(plan) {
    const value = plan.value("0C 13");
    const writer = new ByteWriter().raw([plan.accessNumber, 0, 0, 0]).raw(encodeRecord(total, value, true));
    writer
      .u8(0x0f)
      .u8(has.battery | has.backflow)
      .u8(0)
      .u32le(0);
    return telegramOf(addressOf(plan), 0x7a, writer.finish());
  },
};

function numberOf(reader: ByteReader, bytes: number, name: TraceName) {
  const start = reader.position;
  const raw = reader.take(bytes);
  const value = raw.reduce((sum, byte, at) => sum + byte * 2 ** (8 * at), 0);
  reader.noteSince(start, name, value);
  return { raw, value };
}

function readBattery(reader: ByteReader): MbusRecord {
  const byte = reader.u8("battery");
  return recordOf(voltage, volts[byte & 0x0f] ?? null, { raw: Uint8Array.of(byte) });
}

function readMonth(reader: ByteReader, name: string, n: number): MbusRecord {
  const { raw, value } = numberOf(reader, 3, { code: "register_at_month_end", n });
  const isThere = value < 10_000_000;
  return namedRecord(`Volume at the end of ${name}`, "m^3", { value: isThere ? value / 100 : null, raw });
}
