import type {
  AccountingPointId,
  Branded,
  CompanyId,
  ConsumerId,
  DeviceId,
  FieldName,
  ObjectId,
  SupplierId,
  TransformerId,
  UserId,
} from "@metrum/vocabulary";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** Exact decimals: read as text. */
type Decimal = ColumnType<string, number | string, number | string>;
type MaybeDecimal = ColumnType<string | null, number | string | null, number | string | null>;

/** Values of registers by field, in the unit of the device. */
export type RegisterValues = Readonly<Partial<Record<FieldName, number>>>;

/** Norms of consumption in the unit of the point. */
export interface Standard {
  readonly day?: number;
  readonly month?: number;
  readonly hour?: number;
}

export interface AccountingPointTable {
  id: Generated<AccountingPointId>;
  company_id: CompanyId;
  object_id: ObjectId | null;
  name: string;
  resource_type_id: number;
  city: Generated<string>;
  street: Generated<string>;
  house: Generated<string>;
  inner_object: Generated<string>;
  /** Days of the point are those of this zone, whatever device measures it. */
  timezone: string;
  /** False: it is that of the company, and changes with it. */
  has_own_zone: Generated<boolean>;
  comment: Generated<string>;
  created_at: Generated<Date>;
}

/** Which register of which device measured a point; `from_ts` inclusive, `to_ts` exclusive, null: still. */
export interface PointDeviceTable {
  id: Generated<Branded<"pointDevice">>;
  point_id: AccountingPointId;
  company_id: CompanyId;
  device_id: DeviceId;
  /** The counter of the device that is the main register of the point. */
  field: FieldName;
  from_ts: number;
  to_ts: number | null;
  opening: JSONColumnType<RegisterValues>;
  closing: JSONColumnType<RegisterValues>;
  act: Generated<string>;
  note: Generated<string>;
  opened_by: UserId | null;
  closed_by: UserId | null;
  created_at: Generated<Date>;
}

export const termKinds = [
  "ratio",
  "loss",
  "contract_power",
  "voltage_level",
  "consumer",
  "supplier",
  "current_transformer",
  "voltage_transformer",
  "standard",
] as const;
export type TermKind = (typeof termKinds)[number];

/** A term of a point in an interval; the column of its kind is set. */
export interface PointTermTable {
  id: Generated<Branded<"pointTerm">>;
  point_id: AccountingPointId;
  company_id: CompanyId;
  kind: TermKind;
  from_ts: number;
  to_ts: number | null;
  /** ratio (factor), loss (0.02 is 2 % of the consumption), contract_power (kW). */
  number: MaybeDecimal;
  voltage_level_id: number | null;
  consumer_id: ConsumerId | null;
  supplier_id: SupplierId | null;
  transformer_id: TransformerId | null;
  standard: JSONColumnType<Standard> | null;
  /** Readings of the registers at `from_ts`, for a change of the ratio. */
  reading: JSONColumnType<RegisterValues>;
  note: Generated<string>;
  user_id: UserId | null;
  created_at: Generated<Date>;
}

/** Consumption added by a person, in the unit of the point, ratio included. */
export interface PointAmountTable {
  id: Generated<Branded<"pointAmount">>;
  point_id: AccountingPointId;
  company_id: CompanyId;
  field: string;
  from_ts: number;
  to_ts: number;
  amount: Decimal;
  method: string;
  note: Generated<string>;
  point_device_id: Branded<"pointDevice"> | null;
  user_id: UserId | null;
  created_at: Generated<Date>;
}

export interface PointEventTable {
  id: Generated<Branded<"pointEvent">>;
  point_id: AccountingPointId;
  company_id: CompanyId;
  ts: number;
  kind: "installed" | "replaced" | "removed" | "verified" | "reset" | "rollover" | "ratio" | "note";
  device_id: DeviceId | null;
  details: JSONColumnType<Readonly<Record<string, unknown>>>;
  user_id: UserId | null;
  created_at: Generated<Date>;
}

/** Bits of `point_day.flags`. */
export const dayFlags = {
  replaced: 1,
  ratio: 2,
  rollover: 4,
  reset: 8,
  /** Divided between readings more than an hour apart. */
  interpolated: 16,
  /** Divided between readings more than six hours apart: the meter is read rarely. */
  rare: 32,
  /** No meter was tied for a part of the day, and nobody added an amount for it: that part is not expected. */
  unmetered: 64,
  /** A gap over an end of a month is divided evenly there: an estimate. */
  divided: 128,
  /** It grew by so much that the usual load decides whether that is believed. */
  much: 256,
} as const;

/** Consumption of a point by day of its zone: a read model, recomputed for changed days. */
export interface PointDayTable {
  point_id: AccountingPointId;
  /** `main`, or another counter by its name. */
  field: string;
  day: string;
  /** Consumption within the day that the readings tell; null: nothing is known. */
  amount: MaybeDecimal;
  /** Consumption of a gap that ends in this day and began at `gap_from`, before the day. */
  gap_amount: MaybeDecimal;
  gap_from: number | null;
  /** Day of the point in which the gap begins. */
  gap_day: string | null;
  gap_sec: number | null;
  /** Part of `gap_amount` that rests on estimated values; that of `amount` is in `estimated`. */
  gap_estimated: Decimal;
  estimated: Decimal;
  /** Seconds of the day in which consumption is expected: without the time between two meters that nobody counted. */
  length_sec: number;
  known_sec: number;
  start_value: number | null;
  end_value: number | null;
  ratio: MaybeDecimal;
  status: number | null;
  flags: number;
  computed_at: number;
}

/** Days of the main register of a point in a month: written by triggers alone, with every change of a day. */
export interface PointMonthTable {
  point_id: AccountingPointId;
  /** Its first day. */
  month: string;
  /** See `packed_month`. */
  days: string;
}

declare module "#core" {
  interface Tables {
    accounting_point: AccountingPointTable;
    point_device: PointDeviceTable;
    point_term: PointTermTable;
    point_amount: PointAmountTable;
    point_event: PointEventTable;
    point_day: PointDayTable;
    point_month: PointMonthTable;
  }
}
