import { withoutNoise, type TraceName } from "@metrum/vocabulary";
import { ByteWriter, type ByteReader } from "../../core/bytes.ts";
import type { MbusRecord } from "../../mbus/records.ts";
import { addressOf } from "../address.ts";
import {
  codeOf,
  dateRecord,
  namedRecord,
  recordOf,
  telegramOf,
  type MakersDevices,
  type MakersLayout,
} from "./layout.ts";
import { dueDateBefore, isTechemDate, packTechemDate, periodDay, techemDate } from "./techemDates.ts";

const dueDate = codeOf("42 6C");

/**
 * One family: the register at the due date, and the consumption since, both `bytes` long and `between` bytes
 * apart.
 */
interface Family {
  readonly name: string;
  readonly devices: readonly MakersDevices[];
  /** CI of the simulated telegram. */
  readonly ci: number;
  readonly bytes: 2 | 3;
  readonly between: number;
  readonly hasDueDate: boolean;
  /** Register now and at the due date, and the size of one count in the base unit of the codes. */
  readonly codes: readonly [now: string, due: string];
  readonly size: number;
  readonly contentBytes: number;
}

function layoutOf(family: Family): MakersLayout {
  const [nowCode, dueCode] = family.codes.map(codeOf);
  if (nowCode === undefined || dueCode === undefined) throw new RangeError("two codes are needed");
  const { name, devices, bytes, between, hasDueDate, size } = family;
  return {
    name,
    devices,
    place: "ci",
    read(reader) {
      reader.u8("variant");
      const date = reader.take(2, hasDueDate ? "due_date" : "not_known");
      if (hasDueDate && !isTechemDate(date)) {
        reader.take(reader.remaining, "makers_unread");
        return { records: [], warnings: ["the due date is no date: the layout is not known"] };
      }
      const due = countOf(reader, bytes, "register_at_due_date");
      reader.take(between, "day_of_period");
      const since = countOf(reader, bytes, "used_since");
      reader.take(reader.remaining, "makers_unread");
      const records: MbusRecord[] = [
        recordOf(nowCode, sized(due.count + since.count, size), { raw: since.raw }),
        recordOf(dueCode, sized(due.count, size), { raw: due.raw }),
        namedRecord(`${nowCode.meaning.quantity} since the due date`, nowCode.meaning.unit, {
          value: sized(since.count, size),
          raw: since.raw,
        }),
      ];
      if (hasDueDate) records.push(dateRecord(dueDate, date, techemDate));
      return { records, warnings: [] };
    },
    build(plan) {
      const total = Math.round(plan.value(family.codes[0]) / size);
      const limit = 2 ** (bytes * 8) - 1;
      // The larger part is at the due date; each part must fit into its bytes.
      const due = Math.min(Math.floor(total * 0.75), limit);
      const writer = new ByteWriter().u8(0);
      writer.raw(hasDueDate ? littleEndian(packTechemDate(dueDateBefore(plan.local)), 2) : [0, 0]);
      writer.raw(littleEndian(due, bytes)).raw(littleEndian(periodDay(plan.local), between));
      writer.raw(littleEndian(Math.min(total - due, limit), bytes));
      writer.raw(new Uint8Array(family.contentBytes - writer.length));
      return telegramOf(addressOf(plan), family.ci, writer.finish());
    },
  };
}

const sized = (count: number, size: number): number => withoutNoise(count * size);

const littleEndian = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 2 ** (8 * at)) & 0xff);

function countOf(reader: ByteReader, bytes: number, name: TraceName) {
  const start = reader.position;
  const raw = reader.take(bytes);
  const count = raw.reduce((sum, byte, at) => sum + byte * 2 ** (8 * at), 0);
  reader.noteSince(start, name, count);
  return { raw, count };
}

const tch = (versions: readonly number[], media: readonly number[]): MakersDevices => ({
  manufacturer: "TCH",
  versions,
  media,
});

/**
 * Techem radio 3 (water). Source for these four: the public reader wmbusmeters (drivers mkradio3, mkradio4,
 * compact5, vario451), checked on its telegrams; no documentation of the manufacturer was available.
 * Layout behind A2: variant 1, due date 2 (`techemDate`), register at the due date 2, day of this period 2,
 * used since 2, in 0.1 m³; low byte first. The register now is the sum. Past months follow and are not
 * decoded. Errors: as `MakersLayout`.
 */
export const techemRadio3 = layoutOf({
  name: "Techem radio 3",
  devices: [tch([0x74], [0x62, 0x72])],
  ci: 0xa2,
  bytes: 2,
  between: 2,
  hasDueDate: true,
  codes: ["04 13", "44 13"],
  size: 0.1,
  contentBytes: 37,
});

/** Techem radio 4 (water): as `techemRadio3`, without a date that is known. */
export const techemRadio4 = layoutOf({
  name: "Techem radio 4",
  devices: [tch([0x70, 0x95], [0x62, 0x72])],
  ci: 0xa2,
  bytes: 2,
  between: 2,
  hasDueDate: false,
  codes: ["04 13", "44 13"],
  size: 0.1,
  contentBytes: 37,
});

/**
 * Techem compact V (heat): values of 3 bytes in kWh, one byte between them; the two bytes before them are no
 * due date.
 */
export const techemCompactV = layoutOf({
  name: "Techem compact V",
  devices: [tch([0x45], [0x04, 0x43, 0xc3]), tch([0x22, 0x39], [0x43])],
  ci: 0xa2,
  bytes: 3,
  between: 1,
  hasDueDate: false,
  codes: ["04 06", "44 06"],
  size: 1000,
  contentBytes: 45,
});

/**
 * Techem vario 4 type 4.5.1 (heat): values of 2 bytes in MJ (0.001 GJ); the two bytes before them are no due
 * date.
 */
export const techemVario451 = layoutOf({
  name: "Techem vario 4.5.1",
  devices: [tch([0x27], [0x04, 0xc3])],
  ci: 0xa2,
  bytes: 2,
  between: 2,
  hasDueDate: false,
  codes: ["04 0E", "44 0E"],
  size: 1e6,
  contentBytes: 45,
});
