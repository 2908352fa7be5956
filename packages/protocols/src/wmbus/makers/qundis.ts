import { ByteReader } from "../../core/bytes.ts";
import { dateG, decimalInteger, signedInteger } from "../../mbus/dataTypes.ts";
import { readValueInformation, type ValueInformation } from "../../mbus/information.ts";
import { profileValue } from "../../mbus/profile.ts";
import type { MbusRecord } from "../../mbus/records.ts";

/** Manufacturer codes of the companies whose radio modules send this block. */
const makers: readonly string[] = ["QDS", "LSE"];
const months = 12;
const leastBytes = 28;
/** Units of these modules: another unit means another layout. */
const quantities: readonly string[] = ["Energy", "Volume", "H.C.A."];

/**
 * Values inside the manufacturer's record of Qundis modules (VIF FF 5F), as separate records; empty for other
 * records and makers.
 * Source: the public reader wmbusmeters (drivers qwater, qheat), checked on its 14 telegrams; no document of
 * the maker was at hand.
 * Layout: 8 bytes without known meaning, DIF and VIF of the unit, date of an error 2, current value 4 BCD,
 * date 2 and value 4 of the last month, date 2 and value 4 of the last due day, then 12 consumptions of past
 * months, 2 bytes each, a negative one none; low byte first. Storage numbers as in the short telegrams of these
 * modules: 0 now, 1 due day, 17 last month. A block whose unit, digits or dates are none is encrypted or has
 * another layout: undefined. Errors: none.
 */
export function qundisRecords(manufacturer: string, record: MbusRecord): MbusRecord[] | undefined {
  const isBlock = record.quantity === "Manufacturer specific" && record.modifiers[0] === "maker 5f";
  if (!makers.includes(manufacturer) || !isBlock) return [];
  if (record.raw.length < leastBytes) return undefined;
  const reader = new ByteReader(record.raw);
  reader.take(8);
  reader.u8();
  const vif = reader.u8();
  if (vif >= 0x78) return undefined;
  const meaning = readValueInformation(new ByteReader(Uint8Array.of(vif)));
  if (!quantities.includes(meaning.quantity)) return undefined;
  reader.take(2);
  const of = { reader, record, meaning };
  const dated = [readValue(of, 0), ...readDated(of, 17), ...readDated(of, 1)];
  return dated.every(isReadable) ? [...dated, ...readMonths(of)] : undefined;
}

/** A value or date, or the bytes that stand for none. */
const isReadable = ({ value, raw }: MbusRecord): boolean =>
  value !== null || raw.every((byte) => byte === 0xff) || raw.every((byte) => byte === 0);

interface Block {
  readonly reader: ByteReader;
  readonly record: MbusRecord;
  readonly meaning: ValueInformation;
}

function made(
  { record, meaning }: Block,
  storage: number,
  part: Pick<MbusRecord, "value" | "raw">,
): MbusRecord {
  const { function: role, tariff, subunit } = record;
  const { quantity, unit } = meaning;
  return { kind: "value", function: role, storage, tariff, subunit, quantity, unit, modifiers: [], ...part };
}

const scaledBy = ({ exponent, factor }: ValueInformation, number: number | null): number | null =>
  number === null
    ? null
    : exponent < 0
      ? (number * factor) / 10 ** -exponent
      : number * factor * 10 ** exponent;

function readValue(block: Block, storage: number): MbusRecord {
  const raw = block.reader.take(4);
  return made(block, storage, { raw, value: scaledBy(block.meaning, decimalInteger(raw)) });
}

function readDated(block: Block, storage: number): MbusRecord[] {
  const raw = block.reader.take(2);
  const stamp = dateG(raw);
  const value = stamp === null ? null : new Date(stamp.local * 1000).toISOString().slice(0, 10);
  const date = { ...made(block, storage, { raw, value }), quantity: "Time point (date)", unit: "-" };
  return [stamp === null ? date : { ...date, stamp }, readValue(block, storage)];
}

function readMonths(block: Block): MbusRecord[] {
  const records: MbusRecord[] = [];
  for (let n = 1; n <= months && block.reader.remaining >= 2; n++) {
    const raw = block.reader.take(2);
    const count = signedInteger(raw);
    const value = scaledBy(block.meaning, count === null || count < 0 ? null : count);
    records.push({
      ...made(block, 0, { raw, value }),
      modifiers: [`consumption of a month, ${profileValue} ${String(n)}`],
    });
  }
  return records;
}
