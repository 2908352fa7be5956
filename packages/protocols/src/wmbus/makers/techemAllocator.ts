import type { TraceName } from "@metrum/vocabulary";
import { ByteWriter, type ByteReader } from "../../core/bytes.ts";
import type { RecordCode } from "../../mbus/encode.ts";
import type { MbusRecord } from "../../mbus/records.ts";
import { addressOf } from "../address.ts";
import { codeOf, dateRecord, recordOf, telegramOf, type MakersContent, type MakersLayout } from "./layout.ts";
import { dueDateBefore, isTechemDate, packTechemDate, periodDay, techemDate } from "./techemDates.ts";

const now = codeOf("03 6E");
const due = codeOf("43 6E");
const dueDate = codeOf("42 6C");
const room = codeOf("02 65");
const radiator = codeOf("02 5D");

const mostCelsius = 150;

/** First byte of the content and number of bytes between the units and the temperatures, by version. */
const variants: Readonly<Record<number, number>> = { 0x01: 0, 0x11: 0, 0x0f: 1 };

/**
 * Techem FHKV data III (heat cost allocator with two sensors).
 * Source: the public reader wmbusmeters (driver fhkvdataiii), checked on its telegrams; no document of the
 * maker was at hand.
 * Layout behind CI A0 or A2: variant 1 (01, 11 of version 69, 0F of version 94), due date 2 (`techemDate`),
 * units of the last period 2, today 2, units of this period 2, one byte more in variant 0F, temperature of
 * the room 2 and of the radiator 2 in 0.01 °C, then past months. Low byte first. Another first byte gives no
 * number. Errors: as `MakersLayout`.
 */
export const techemAllocator: MakersLayout = {
  name: "Techem FHKV data III",
  devices: [{ manufacturer: "TCH", versions: [0x69, 0x94], media: [0x80] }],
  place: "ci",
  read,
  build(plan) {
    const writer = new ByteWriter().u8(0x11).u16le(packTechemDate(dueDateBefore(plan.local)));
    writer
      .u16le(word(plan.value("43 6E")))
      .u16le(periodDay(plan.local))
      .u16le(word(plan.value("03 6E")));
    writer.u16le(word(plan.value("02 65") * 100)).u16le(word(plan.value("02 5D") * 100));
    return telegramOf(addressOf(plan), 0xa0, writer.raw(new Uint8Array(27)).finish());
  },
};

const word = (value: number): number => Math.max(0, Math.round(value)) % 2 ** 16;

function read(reader: ByteReader): MakersContent {
  const variant = reader.u8("variant");
  const extra = variants[variant];
  if (extra === undefined)
    return { records: [], warnings: [`variant ${variant.toString(16)} of the allocator is not known`] };
  const date = reader.take(2, "due_date");
  if (!isTechemDate(date)) {
    reader.take(reader.remaining, "makers_unread");
    return { records: [], warnings: ["the due date is no date: the layout is not known"] };
  }
  const last = numberOf(reader, "units_last_period");
  reader.take(2, "day_of_period");
  const units = numberOf(reader, "units_this_period");
  reader.take(extra, "not_known");
  const temperatures = [readTemperature(reader, "room", room), readTemperature(reader, "radiator", radiator)];
  reader.take(reader.remaining, "makers_unread");
  return {
    records: [
      recordOf(now, units.value, units),
      recordOf(due, last.value, last),
      dateRecord(dueDate, date, techemDate),
      ...temperatures.map(({ record }) => record),
    ],
    warnings: temperatures.flatMap(({ warnings }) => warnings),
  };
}

/**
 * A temperature, null with a warning beyond the range of a radiator in use: the coding of frost or faults is
 * unknown.
 */
function readTemperature(
  reader: ByteReader,
  place: "room" | "radiator",
  code: RecordCode,
): { readonly record: MbusRecord; readonly warnings: readonly string[] } {
  const { value, raw } = numberOf(reader, { code: `${place}_temperature`, unit: "0.01 °C" });
  const celsius = value / 100;
  if (celsius <= mostCelsius) return { record: recordOf(code, celsius, { raw }), warnings: [] };
  return {
    record: recordOf(code, null, { raw }),
    warnings: [`temperature of the ${place} that cannot be: ${String(celsius)} °C`],
  };
}

function numberOf(reader: ByteReader, name: TraceName): { readonly raw: Uint8Array; readonly value: number } {
  const start = reader.position;
  const value = reader.u16le(name);
  return { raw: reader.bytes.slice(start, reader.position), value };
}
