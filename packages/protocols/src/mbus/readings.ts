import {
  fieldOf,
  fields,
  withoutNoise,
  type FieldName,
  type MessageTypeId,
  type ResourceKey,
} from "@metrum/vocabulary";
import type { DeviceAddress } from "../core/driver.ts";
import { finite } from "../core/finite.ts";
import type { Reading } from "../core/reading.ts";
import { unitRatio } from "./convert.ts";
import type { MeterStamp } from "./dataTypes.ts";
import { parseCode, type RecordCode } from "./encode.ts";
import type { MbusRecord } from "./records.ts";
import { isCounted } from "./vif.ts";

/**
 * One record of a meter, as its data sheet lists it. `code` is DIF and VIF in hexadecimal; a record of an
 * answer is this one when quantity, modifiers, function, storage, tariff and subunit agree, whatever scale or
 * data type the meter chose. With `field` its value becomes that field, in the unit of the vocabulary.
 * Without, the simulator sends `value`, or what the record asks for by itself (clock, fabrication number),
 * and nothing is stored.
 */
export interface MbusRow {
  readonly code: string;
  readonly field?: FieldName;
  readonly value?: number | string;
}

/**
 * Past values that the meter stores under storage numbers, with their date. `rows` are the codes at storage 0
 * of the archived fields; `date` is the code of the date at storage 0 ("02 6C").
 */
export interface MbusArchive {
  readonly msgType: Extract<MessageTypeId, 100 | 101 | 103>;
  readonly firstStorage: number;
  readonly count: number;
  readonly date: string;
  readonly rows: readonly MbusRow[];
  /** A date without time means the end of that day ("31.12.", the default) or its beginning ("01.01."). */
  readonly dateMeans?: "endOfDay" | "startOfDay";
}

/** A row with its parsed code and unit factor. */
export interface PreparedRow {
  readonly row: MbusRow;
  readonly code: RecordCode;
  /** Vocabulary units in one unit of this code. */
  readonly ratio: number;
  readonly isCounter: boolean;
}

export interface PreparedArchive extends Omit<MbusArchive, "rows" | "date"> {
  readonly rows: readonly PreparedRow[];
  readonly dateCode: RecordCode;
}

/** Plan for building readings: the model's rows, prepared once. */
export interface ReadingPlan {
  readonly resource: ResourceKey;
  readonly rows: readonly PreparedRow[];
  readonly archives: readonly PreparedArchive[];
  /** The meter's standard time against UTC. */
  readonly utcOffsetMinutes: number;
}

/**
 * The plan with the standard time at the location of the device, if known: it takes precedence over the
 * model's.
 */
export const inZoneOf = (
  plan: ReadingPlan,
  { utcOffsetMinutes }: Pick<DeviceAddress, "utcOffsetMinutes">,
): ReadingPlan => (utcOffsetMinutes === undefined ? plan : { ...plan, utcOffsetMinutes });

/**
 * Parses the code of a row and determines its unit factor. Errors: ProtocolError "unexpected" for an invalid
 * code, "RangeError" when code and field measure different things (a bug of the model).
 */
export function prepareRow(row: MbusRow, resource: ResourceKey): PreparedRow {
  const code = parseCode(row.code);
  const ratio = row.field === undefined ? 1 : unitRatio(code.meaning.unit, fieldOf(row.field, resource).unit);
  if (ratio === undefined)
    throw new RangeError(`record ${row.code} is in ${code.meaning.unit}, which ${row.field ?? ""} is not`);
  return { row, code, ratio, isCounter: row.field !== undefined && fields[row.field].kind === "counter" };
}

type Identity = Pick<MbusRecord, "quantity" | "modifiers" | "function" | "storage" | "tariff" | "subunit">;

const keyOf = (each: Identity): string =>
  [each.quantity, each.modifiers.join(), each.function, each.storage, each.tariff, each.subunit].join("|");

const codeKey = ({ data, meaning }: RecordCode, storage = data.storage): string =>
  keyOf({ ...data, quantity: meaning.quantity, modifiers: meaning.modifiers, storage });

type Values = Partial<Record<FieldName, number | null>>;

/**
 * Readings of all records of an answer: counters (message type 1), states (2), then the archives, oldest
 * last. The clock record stamps 1 and 2; a value that the meter marks as missing is null, one that it did not
 * send is absent.
 * Source: EN 13757-3, clause 6 (storage numbers). Units: those of the vocabulary for the resource. Errors:
 * none.
 */
export function readingsOf(plan: ReadingPlan, records: readonly MbusRecord[]): Reading[] {
  const found = byIdentity(records);
  const meterAt = clockOf(plan, records);
  const stamped = meterAt === undefined ? {} : { meterAt };
  const present = (rows: readonly PreparedRow[], storage?: number) =>
    valuesOf(plan, found, { rows, storage });
  const now = [
    { msgType: 1 as const, values: present(plan.rows.filter(({ isCounter }) => isCounter)) },
    { msgType: 2 as const, values: present(plan.rows.filter(({ isCounter }) => !isCounter)) },
  ].flatMap(({ msgType, values }) =>
    Object.keys(values).length === 0 ? [] : [{ msgType, at: null, ...stamped, values }],
  );
  const archived = plan.archives.flatMap((archive) =>
    Array.from({ length: archive.count }, (_, at) => archive.firstStorage + at).flatMap((storage) => {
      const stamp = found.get(codeKey(archive.dateCode, storage))?.stamp;
      const values = present(archive.rows, storage);
      if (stamp === undefined || Object.keys(values).length === 0) return [];
      const isWholeDay = stamp.dateOnly && archive.dateMeans !== "startOfDay";
      const at = epochOf(stamp, plan.utcOffsetMinutes) + (isWholeDay ? 86_400 : 0);
      return [{ msgType: archive.msgType, at, meterAt: at, values }];
    }),
  );
  return [...now, ...archived];
}

/**
 * Records by identity. A meter may send a value twice in different scales; the first one with a value is the
 * finer or the main one. A forward-only counter replaces a missing plain one: meters that can count both ways
 * mark their main counter as forward too.
 */
function byIdentity(records: readonly MbusRecord[]): ReadonlyMap<string, MbusRecord> {
  const found = new Map<string, MbusRecord>();
  const add = (key: string, record: MbusRecord): void => {
    if ((found.get(key)?.value ?? null) === null) found.set(key, record);
  };
  for (const record of records) add(keyOf(record), record);
  for (const record of records)
    if (isForwardCounter(record)) add(keyOf({ ...record, modifiers: [] }), record);
  return found;
}

const isForwardCounter = ({ modifiers, quantity }: MbusRecord): boolean =>
  modifiers.length === 1 && modifiers[0] === "forward" && isCounted(quantity);

function valuesOf(
  plan: ReadingPlan,
  found: ReadonlyMap<string, MbusRecord>,
  of: { rows: readonly PreparedRow[]; storage: number | undefined },
): Values {
  const values: Values = {};
  for (const { row, code } of of.rows) {
    const record = found.get(codeKey(code, of.storage));
    if (row.field === undefined || record === undefined) continue;
    const ratio = unitRatio(record.unit, fieldOf(row.field, plan.resource).unit);
    if (ratio !== undefined)
      values[row.field] =
        typeof record.value === "number" ? finite(withoutNoise(record.value * ratio), row.field) : null;
  }
  return values;
}

/** The meter's clock, epoch seconds UTC; undefined for an answer without it. */
export function clockOf(plan: ReadingPlan, records: readonly MbusRecord[]): number | undefined {
  const stamp = records.find(isClock)?.stamp;
  return stamp && epochOf(stamp, plan.utcOffsetMinutes);
}

/** Whether a code is that of the clock of a meter. */
export const isClockCode = ({ data, meaning }: RecordCode): boolean =>
  meaning.form === "dateTime" &&
  meaning.quantity === clockQuantity &&
  data.storage === 0 &&
  data.function === "instantaneous" &&
  meaning.modifiers.length === 0;

const clockQuantity = "Time point (date & time)";

/** Whether a record is the clock of its meter. */
export const isClock = (record: MbusRecord): boolean =>
  record.stamp !== undefined &&
  !record.stamp.dateOnly &&
  record.quantity === clockQuantity &&
  record.storage === 0 &&
  record.function === "instantaneous" &&
  record.modifiers.length === 0;

const epochOf = (stamp: MeterStamp, utcOffsetMinutes: number): number =>
  stamp.local - utcOffsetMinutes * 60 - stamp.summerHours * 3600;
