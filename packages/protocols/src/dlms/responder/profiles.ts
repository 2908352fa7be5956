import { fields, type FieldName } from "@metrum/vocabulary";
import type { MeterHistory } from "../../core/driver.ts";
import { instantData, instantOf, type ClockOptions } from "../objects/clock.ts";
import type { ProfileTable } from "../objects/profile.ts";
import { scalerUnitData } from "../objects/values.ts";
import { captureObjectData, clockColumn, entryOf, rangeOf } from "../apdu/selectiveAccess.ts";
import type { AccessResult, CaptureObject, DlmsData, SelectiveAccess } from "../types.ts";
import type { SimulatedMeter } from "./meter.ts";
import { rawOf, scaleOf } from "./scales.ts";

/** Rows that a simulated profile keeps. */
const depth = 4000;
const defaultPeriodSec = 1800;
const emptyArray: DlmsData = { type: "array", items: [] };

/** The counter whose growth is the mean power of an interval. */
const counterOf: Readonly<Partial<Record<FieldName, FieldName>>> = {
  power_a_plus: "tariff0",
  power_a_minus: "tariff_negative0",
  power_r_plus: "tariff_reactive0",
  power_r_minus: "tariff_reactive_negative0",
};

export const capturesOf = ({ columns }: ProfileTable): CaptureObject[] => [
  clockColumn,
  ...columns.map(({ obis, attribute = 2 }) => ({ classId: 3, obis, attribute, index: 0 })),
];

export const periodOf = ({ period }: ProfileTable): number =>
  typeof period === "number" ? period : defaultPeriodSec;

/** Attribute of a simulated profile; undefined for a missing one. */
export function readProfileAttribute(
  meter: SimulatedMeter,
  table: ProfileTable,
  of: { attribute: number; access: SelectiveAccess | null; now: number },
): AccessResult | undefined {
  const period = table.period === "month" ? 0 : periodOf(table);
  return profileAttribute(of.attribute, {
    captures: capturesOf(table),
    rows: () => bufferOf(meter, table, of),
    period: meter.manners?.capturePeriod ?? period,
    inUse: () => stampsOf(meter, table, of.now).length,
    size: depth,
  });
}

/** Parameters of the attributes of a profile. */
export interface ProfileParts {
  readonly captures: readonly CaptureObject[];
  readonly rows: () => DlmsData;
  /** Seconds; 0: rows are captured by events or from outside. */
  readonly period: number;
  readonly inUse: () => number;
  /** Capacity in rows. */
  readonly size: number;
}

/** Sort method "first in, first out", which means unsorted. */
const fifo = 1;
const unsorted: CaptureObject = { classId: 0, obis: "0.0.0.0.0.0", attribute: 0, index: 0 };

/**
 * Attributes 2 to 8 of a profile: buffer, capture objects, capture period, sort method, sort object, entries
 * in use, entries.
 * Source: Blue Book 4.3.6. Undefined for any other number.
 */
export function profileAttribute(attribute: number, parts: ProfileParts): AccessResult | undefined {
  const data = (value: DlmsData): AccessResult => ({ kind: "data", value });
  const count = (value: number): AccessResult => data({ type: "uint32", value });
  switch (attribute) {
    case 2:
      return data(parts.rows());
    case 3:
      return data({ type: "array", items: parts.captures.map(captureObjectData) });
    case 4:
      return count(parts.period);
    case 5:
      return data({ type: "enum", value: fifo });
    case 6:
      return data(captureObjectData(unsorted));
    case 7:
      return count(parts.inUse());
    case 8:
      return count(parts.size);
    default:
      return undefined;
  }
}

/** The one row of a scaler profile, and its columns. */
export function scalerRow(meter: SimulatedMeter, tables: readonly ProfileTable[]) {
  const columns = tables.flatMap((table) => table.columns.map((column) => ({ column, table })));
  const cells = columns.map(({ column, table }) => scalerUnitData(columnScale(meter, table, column.field)));
  return {
    captures: columns.map(({ column }) => ({ classId: 3, obis: column.obis, attribute: 3, index: 0 })),
    row: { type: "structure", items: cells } satisfies DlmsData,
  };
}

/**
 * Powers of an interval are kept as the energy of the interval when their table has a scaler profile, as
 * SPODES does.
 */
export function columnScale(meter: SimulatedMeter, table: ProfileTable, field: FieldName) {
  const { resource } = meter.options;
  const counter = counterOf[field];
  return table.scalerProfile !== undefined && counter !== undefined
    ? scaleOf(counter, resource)
    : scaleOf(field, resource);
}

/**
 * Stamps of the rows kept, oldest first: ends of periods of the meter's own standard time that have passed.
 */
function stampsOf(meter: SimulatedMeter, table: ProfileTable, now: number): number[] {
  const { history, options } = meter;
  if (!history) return [];
  const offset = options.clock.utcOffsetMinutes * 60;
  if (table.period === "month") return monthsUntil(now + offset, 36).map((local) => local - offset);
  const period = periodOf(table);
  const last = Math.floor((now + offset) / period) * period - offset;
  return Array.from({ length: depth }, (_, at) => last - (depth - 1 - at) * period);
}

function monthsUntil(local: number, count: number): number[] {
  const date = new Date(local * 1000);
  return Array.from(
    { length: count },
    (_, at) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (count - 1 - at), 1) / 1000,
  );
}

function bufferOf(
  meter: SimulatedMeter,
  table: ProfileTable,
  { access, now }: { access: SelectiveAccess | null; now: number },
): DlmsData {
  const { history } = meter;
  if (!history) return emptyArray;
  const stamps = selectStamps(stampsOf(meter, table, now), access, meter.options.clock);
  const rows = stamps.map((stamp) => rowAt(meter, table, { stamp, history }));
  return shaped(rows, meter.manners?.rows ?? "whole");
}

function selectStamps(
  stamps: readonly number[],
  access: SelectiveAccess | null,
  clock: ClockOptions,
): readonly number[] {
  const range = access === null ? null : rangeOf(access);
  const entry = access === null || range ? null : entryOf(access);
  if (range) {
    const from = instantOf(range.from, clock) ?? Number.NEGATIVE_INFINITY;
    const to = instantOf(range.to, clock) ?? Number.POSITIVE_INFINITY;
    return stamps.filter((stamp) => stamp >= from && stamp <= to);
  }
  if (!entry) return stamps;
  return stamps.slice(Math.max(0, entry.fromEntry - 1), entry.toEntry === 0 ? undefined : entry.toEntry);
}

function rowAt(
  meter: SimulatedMeter,
  table: ProfileTable,
  { stamp, history }: { stamp: number; history: MeterHistory },
): DlmsData[] {
  const { resource, clock } = meter.options;
  const period = periodOf(table);
  const cells = table.columns.map(({ field }): DlmsData => {
    const counter = fields[field].kind === "interval" ? counterOf[field] : undefined;
    const [start, end] = table.stamp === "start" ? [stamp, stamp + period] : [stamp - period, stamp];
    const value = counter
      ? ((history(end)(counter) - history(start)(counter)) * 3600) / period
      : history(stamp)(field);
    const scale = columnScale(meter, table, field);
    return rawOf(value, { field, resource, scale, periodSec: period });
  });
  return [instantData(stamp, clock), ...cells];
}

/** Rows in the encoding of this meter. */
function shaped(rows: readonly (readonly DlmsData[])[], form: "whole" | "sparse" | "compact"): DlmsData {
  const structures = rows.map((items): DlmsData => ({ type: "structure", items }));
  if (form === "sparse")
    return { type: "array", items: rows.map((row, at) => sparse(row, at === 0 ? undefined : rows[at - 1])) };
  const first = rows[0];
  const isUniform = rows.every((row) => row.every((cell, at) => cell.type === first?.[at]?.type));
  if (form !== "compact" || first === undefined || !isUniform) return { type: "array", items: structures };
  const of = first.map(({ type }) => ({ kind: "simple", tag: type === "octets" ? 0x09 : 0x06 }) as const);
  const isPlain = first.every(({ type }) => type === "octets" || type === "uint32");
  return isPlain
    ? { type: "compactArray", description: { kind: "structure", of }, items: structures }
    : { type: "array", items: structures };
}

function sparse(row: readonly DlmsData[], before: readonly DlmsData[] | undefined): DlmsData {
  const items = row.map((cell, at): DlmsData => {
    const above = before?.[at];
    const isRepeated =
      above !== undefined &&
      (at === 0 || ("value" in cell && "value" in above && cell.value === above.value));
    return isRepeated ? { type: "null" } : cell;
  });
  return { type: "structure", items };
}
