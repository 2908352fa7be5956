import { fields, withoutNoise, type FieldName, type MessageTypeId } from "@metrum/vocabulary";
import type { Reading } from "../core/reading.ts";
import { numberOf, parseObis, type DataSet, type ObisCode } from "./dataLine.ts";
import { parseStamp, parseTime, toEpoch } from "./stamps.ts";
import { ratioTo } from "./units.ts";

/** A value of the read-out with its field. */
export interface IecRow {
  /** Address as `parseObis` shortens it ("1.8.0"), or the manufacturer's name ("ET0PE"). */
  readonly obis: string;
  readonly field: FieldName;
  /** Index of the bracket in the set; default 0. */
  readonly index?: number;
  /** Index of the part in a bracket with several comma-separated values; default 0. */
  readonly part?: number;
  /** Unit if the line has none; default: that of the field. */
  readonly unit?: string;
  /** The value is also kept for past billing periods, as `obis*NN`. */
  readonly isBilled?: boolean;
}

/** Where the clock is: one address with both, or one each. */
export type IecClock = { readonly stamp: string } | { readonly date: string; readonly time: string };

/** Parameters for building readings. */
export interface IecPlan {
  readonly rows: readonly IecRow[];
  readonly clock?: IecClock;
  /** Billing values, stored as monthly archive: the address whose `*NN` contains the end of the period. */
  readonly billing?: { readonly stamp: string };
  /**
   * How several values of one address are written: "line" as consecutive brackets, "lines" as lines that
   * begin with a bracket, "named_lines" as lines that repeat the address. Default "line". Only with repeated
   * names does a second line add values: in other read-outs the first line of an address counts.
   */
  readonly layout?: "line" | "lines" | "named_lines";
  /** The meter's standard time against UTC; a season in the stamp adds an hour in summer. */
  readonly utcOffsetMinutes: number;
}

type Values = Partial<Record<FieldName, number | null>>;

/** The same value for other spellings of its address: medium 1 or 0 or none, any channel. */
const keyOf = ({ code, billing }: ObisCode): string => `${code}*${billing ?? ""}`;

/**
 * Readings of a read-out: counters (message type 1), states (2), then billing values (103) at the end of
 * their period, oldest first.
 * Units: the vocabulary's; a unit that does not fit omits the value with a warning, empty brackets give null,
 * a billing period without a date is omitted. Errors: none.
 */
export function iecReadings(plan: IecPlan, sets: readonly DataSet[]): Reading[] {
  const found = byAddress(plan, sets);
  const clock = clockOf(plan, found);
  const stamped = clock === undefined ? {} : { meterAt: clock };
  const now = ([1, 2] as const).flatMap((msgType) => {
    const { values, warnings } = valuesOf(
      found,
      plan.rows.filter(({ field }) => (fields[field].kind === "counter") === (msgType === 1)),
    );
    const warned = warnings.length === 0 ? {} : { warnings };
    return Object.keys(values).length === 0 ? [] : [{ msgType, at: null, ...stamped, values, ...warned }];
  });
  return [...now, ...billingReadings(plan, found)];
}

/** Rows without a matching bracket in the answer. */
export function absentRows(plan: IecPlan, sets: readonly DataSet[]): IecRow[] {
  const found = byAddress(plan, sets);
  return plan.rows.filter((row) => textIn(found, row) === undefined);
}

/**
 * The sets of a read-out by address; the first one counts, and further ones add their values if the meter
 * repeats names.
 */
function byAddress({ layout }: Pick<IecPlan, "layout">, sets: readonly DataSet[]): Map<string, DataSet> {
  const found = new Map<string, DataSet>();
  for (const set of sets) {
    const code = parseObis(set.address);
    if ((code.medium ?? 0) > 1) continue;
    const before = found.get(keyOf(code));
    if (!before) found.set(keyOf(code), set);
    else if (layout === "named_lines")
      found.set(keyOf(code), { ...before, values: [...before.values, ...set.values] });
  }
  return found;
}

/** Value of a row: text null if the brackets are empty; undefined if the answer has no such place. */
function textIn(found: ReadonlyMap<string, DataSet>, row: IecRow, billing?: number) {
  const key = keyOf({ code: row.obis, ...(billing === undefined ? {} : { billing }) });
  const bracket = found.get(key)?.values[row.index ?? 0];
  if (bracket === undefined) return undefined;
  if (row.part === undefined || bracket.value === null) return { text: bracket.value, unit: bracket.unit };
  const part = bracket.value.split(",")[row.part]?.trim();
  return part === undefined ? undefined : { text: part === "" ? null : part, unit: bracket.unit };
}

function valuesOf(
  found: ReadonlyMap<string, DataSet>,
  rows: readonly IecRow[],
  billing?: number,
): { values: Values; warnings: string[] } {
  const values: Values = {};
  const warnings: string[] = [];
  for (const row of rows) {
    const written = textIn(found, row, billing);
    if (written === undefined) continue;
    const ratio = ratioTo(written.unit === "" ? (row.unit ?? "") : written.unit, row.field, "electricity");
    const number = numberOf(written.text);
    if (ratio === undefined)
      warnings.push(`${row.obis}: the unit ${written.unit} is not one of ${row.field}`);
    else values[row.field] = number === null ? null : withoutNoise(number * ratio);
    if (number === null && written.text !== null)
      warnings.push(`${row.obis}: ${written.text.slice(0, 32)} is no number (${row.field})`);
  }
  return { values, warnings };
}

function clockOf(plan: IecPlan, found: ReadonlyMap<string, DataSet>): number | undefined {
  const text = (code: string) => found.get(keyOf({ code }))?.values[0]?.value ?? "";
  if (plan.clock === undefined) return undefined;
  if ("stamp" in plan.clock) {
    const stamp = parseStamp(text(plan.clock.stamp));
    return stamp && toEpoch(stamp, plan.utcOffsetMinutes);
  }
  const date = parseStamp(text(plan.clock.date));
  const time = parseTime(text(plan.clock.time));
  return date && time !== undefined
    ? toEpoch({ ...date, local: date.local + time }, plan.utcOffsetMinutes)
    : undefined;
}

const monthly: MessageTypeId = 103;

function billingReadings(plan: IecPlan, found: ReadonlyMap<string, DataSet>): Reading[] {
  const { billing } = plan;
  if (!billing) return [];
  const numbers = [...found.values()].flatMap(({ address }) => {
    const code = parseObis(address);
    return code.code === billing.stamp && code.billing !== undefined ? [code.billing] : [];
  });
  const readings = numbers.flatMap((number): Reading[] => {
    const stamp = parseStamp(
      found.get(keyOf({ code: billing.stamp, billing: number }))?.values[0]?.value ?? "",
    );
    const { values } = valuesOf(
      found,
      plan.rows.filter(({ isBilled }) => isBilled === true),
      number,
    );
    if (stamp === undefined || Object.keys(values).length === 0) return [];
    const at = toEpoch(stamp, plan.utcOffsetMinutes);
    return [{ msgType: monthly, at, meterAt: at, values }];
  });
  return readings.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}
