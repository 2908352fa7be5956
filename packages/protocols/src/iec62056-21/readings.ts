import { fields, type FieldName, type MessageTypeId } from "@metrum/vocabulary";
import type { Reading } from "../core/reading.ts";
import { numberOf, parseObis, type DataSet, type ObisCode } from "./dataLine.ts";
import { parseStamp, parseTime, toEpoch } from "./stamps.ts";
import { ratioTo } from "./units.ts";

/** A value of the read-out that becomes a field. */
export interface IecRow {
  /** Address as `parseObis` shortens it ("1.8.0"), or the maker's name ("ET0PE"). */
  readonly obis: string;
  readonly field: FieldName;
  /** Which bracket of the set; 0 when left out. */
  readonly index?: number;
  /** Which part of a bracket that holds several values between commas; 0 when left out. */
  readonly part?: number;
  /** Unit when the line has none; the field's own when left out. */
  readonly unit?: string;
  /** The value is also kept for past billing periods, as `obis*NN`. */
  readonly isBilled?: boolean;
}

/** Where the clock stands: one address with both, or one each. */
export type IecClock = { readonly stamp: string } | { readonly date: string; readonly time: string };

/** What readings are made from. */
export interface IecPlan {
  readonly rows: readonly IecRow[];
  readonly clock?: IecClock;
  /** Billing values, kept as archive of months: the address whose `*NN` says when the period ended. */
  readonly billing?: { readonly stamp: string };
  /** The meter's standard time against UTC; a season in the stamp adds an hour in summer. */
  readonly utcOffsetMinutes: number;
}

type Values = Partial<Record<FieldName, number | null>>;

const clean = (value: number): number => Number(value.toPrecision(12));

/** The same value under other ways of writing its address: medium 1 or 0 or none, any channel. */
const keyOf = ({ code, billing }: ObisCode): string => `${code}*${billing ?? ""}`;

/**
 * Readings of a read-out: counters (message type 1), states (2), then billing values (103) at the end of their period, oldest first.
 * Units: the vocabulary's; a unit that does not fit leaves the value out, empty brackets give null, a billing period without a date is left out.
 * Errors: none.
 */
export function iecReadings(plan: IecPlan, sets: readonly DataSet[]): Reading[] {
  const found = new Map<string, DataSet>();
  for (const set of sets) {
    const code = parseObis(set.address);
    if ((code.medium ?? 0) <= 1 && !found.has(keyOf(code))) found.set(keyOf(code), set);
  }
  const clock = clockOf(plan, found);
  const stamped = clock === undefined ? {} : { meterAt: clock };
  const now = ([1, 2] as const).flatMap((msgType) => {
    const values = valuesOf(
      found,
      plan.rows.filter(({ field }) => (fields[field].kind === "counter") === (msgType === 1)),
    );
    return Object.keys(values).length === 0 ? [] : [{ msgType, at: null, ...stamped, values }];
  });
  return [...now, ...billingReadings(plan, found)];
}

function valuesOf(found: ReadonlyMap<string, DataSet>, rows: readonly IecRow[], billing?: number): Values {
  const values: Values = {};
  for (const row of rows) {
    const bracket = found.get(keyOf({ code: row.obis, ...(billing === undefined ? {} : { billing }) }))
      ?.values[row.index ?? 0];
    if (bracket === undefined) continue;
    const ratio = ratioTo(bracket.unit === "" ? (row.unit ?? "") : bracket.unit, row.field, "electricity");
    if (ratio === undefined) continue;
    const number = numberOf(
      row.part === undefined ? bracket.value : bracket.value?.split(",")[row.part]?.trim(),
    );
    values[row.field] = number === null ? null : clean(number * ratio);
  }
  return values;
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
    const values = valuesOf(
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
