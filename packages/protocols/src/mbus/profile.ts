import { ByteReader } from "../core/bytes.ts";
import { decimalInteger, floatingPoint, signedInteger, type MeterStamp } from "./dataTypes.ts";
import type { MbusRecord } from "./records.ts";
import { isCounted } from "./vif.ts";

const words = ["compact profile", "inverse compact profile", "compact profile with registers"] as const;

/** Whether the names of a record identify its data as a profile. Errors: none. */
export const isProfile = (modifiers: readonly string[]): boolean =>
  words.some((word) => modifiers.includes(word));

/** Word that marks the values of a profile among the modifiers. */
export const profileValue = "profile value";

/** Bytes of one element, by the coding in the spacing control. */
const elementBytes: Readonly<Record<number, number>> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 4,
  6: 6,
  7: 8,
  9: 1,
  10: 2,
  11: 3,
  12: 4,
  14: 6,
};

const spacingSeconds = [1, 60, 3600, 86_400] as const;
/** Values of the spacing that mean more than a count of units, with the unit "day". */
const special = { halfMonth: 253, month: 254 } as const;

type Scale = (number: number) => number | null;

/** Base of profiles: the newest plain value of each register, and the newest date of each storage number. */
interface Bases {
  readonly values: Map<string, MbusRecord>;
  readonly stamps: Map<number, MeterStamp>;
}

/**
 * Returns the values of the profiles of a list, which grows meanwhile; see `profileRecords`. Each record is
 * visited once, however many profiles build on it, and in a list without profiles none.
 */
export function profilesIn(
  records: readonly MbusRecord[],
): (record: MbusRecord, scale: Scale) => MbusRecord[] {
  const bases: Bases = { values: new Map(), stamps: new Map() };
  let seen = 0;
  return (record, scale) => {
    if (!isProfile(record.modifiers) || record.raw.length < 3) return [];
    for (const each of records.slice(seen)) {
      if (each.modifiers.length === 0) bases.values.set(registerOf(each), each);
      if (each.stamp !== undefined) bases.stamps.set(each.storage, each.stamp);
    }
    seen = records.length;
    return profileRecords(record, scale, bases);
  };
}

/**
 * The values of a profile as separate records; empty for other records and for profiles of a broken layout.
 * Source: EN 13757-3, annex F. Layout of the data: spacing control (bits 7-6: 0 absolute values, 1
 * increments, 2 decrements, 3 signed differences; 5-4 unit of the spacing: second, minute, hour, day; 3-0
 * coding of the elements), spacing (254 with days: months), elements. The value and the date of the same
 * storage number, sent before, are the base; values of the plain profile follow the base in time, those of
 * the inverse one go back from it. A value is what the register showed at the end of its period: increments
 * are added up, which gives no values without a base. The chain ends at an element without a value, for
 * nothing is known behind it, and where a counter would go below zero, for it was then reset or the base is
 * not its own. Checked on two telegrams of real heat cost allocators, one of each kind. `scale`: from a
 * number in the data to the unit of the record. Errors: none.
 */
function profileRecords(record: MbusRecord, scale: Scale, { values: plain, stamps }: Bases): MbusRecord[] {
  const reader = new ByteReader(record.raw);
  const control = reader.u8();
  const spacing = reader.u8();
  const size = elementBytes[control & 0x0f];
  if (size === undefined) return [];
  const start = baseOf(plain.get(registerOf(record)));
  const from = stamps.get(record.storage);
  const isInverse = record.modifiers.includes("inverse compact profile");
  const values: MbusRecord[] = [];
  const isChained = control >> 6 !== 0;
  if (isChained && start === undefined) return [];
  let last = start ?? 0;
  while (reader.remaining >= size) {
    const raw = reader.take(size);
    const number = elementOf(raw, control & 0x0f);
    const scaled = number === null ? null : scale(number);
    const value = scaled === null ? null : valueOf(control >> 6, { last, number: scaled, isInverse });
    if (isChained && !continues(value, record)) break;
    if (value !== null) last = value;
    const steps = (values.length + 1) * (isInverse ? -1 : 1);
    const at = from && spaced(from, { unit: (control >> 4) & 3, spacing, steps });
    const modifiers = [...record.modifiers, `${profileValue} ${String(values.length + 1)}`];
    values.push({ ...record, modifiers, value, raw, ...(at === undefined ? {} : { at }) });
  }
  return values;
}

const baseOf = (record: MbusRecord | undefined): number | undefined =>
  typeof record?.value === "number" ? record.value : undefined;

/** Whether a chain of changes continues after this value. */
const continues = (value: number | null, { quantity }: MbusRecord): boolean =>
  value !== null && (value >= 0 || !isCounted(quantity));

/** Name of a register; the quantity comes last, as it may be any text. */
const registerOf = ({ storage, tariff, subunit, function: role, quantity }: MbusRecord): string =>
  `${String(storage)}/${String(tariff)}/${String(subunit)}/${role}/${quantity}`;

function elementOf(raw: Uint8Array, coding: number): number | null {
  if (coding === 5) return floatingPoint(raw);
  return coding > 8 ? decimalInteger(raw) : signedInteger(raw);
}

/** Backwards in time, increments are subtracted. */
function valueOf(mode: number, of: { last: number; number: number; isInverse: boolean }): number {
  const { last, number, isInverse } = of;
  if (mode === 0) return number;
  const change = mode === 2 ? -number : number;
  return isInverse ? last - change : last + change;
}

function spaced(
  from: MeterStamp,
  by: { unit: number; spacing: number; steps: number },
): MeterStamp | undefined {
  const { unit, spacing, steps } = by;
  if (unit === 3 && spacing === special.month) return monthsLater(from, steps);
  if (spacing === 0 || (unit === 3 && spacing >= special.halfMonth)) return undefined;
  return { ...from, local: from.local + steps * spacing * (spacingSeconds[unit] ?? 1) };
}

/** The same day of another month; the last day stays the last one. */
function monthsLater(from: MeterStamp, months: number): MeterStamp {
  const date = new Date(from.local * 1000);
  const lastDay = (year: number, month: number): number =>
    new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const isLast = day === lastDay(year, month);
  const there = lastDay(year, month + months);
  const local =
    Date.UTC(year, month + months, isLast ? there : Math.min(day, there)) / 1000 + (from.local % 86_400);
  return { ...from, local };
}
