import {
  sources,
  statuses,
  type DeviceId,
  type FieldName,
  type Source,
  type Status,
} from "@metrum/vocabulary";

export type Values = Readonly<Partial<Record<FieldName, number | null>>>;

/** A reading as it comes to the door: whoever brings it, polled, pushed, imported, entered or calculated. */
export interface Incoming {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  /** The slot the values belong to, epoch seconds UTC: start of a profile interval, moment at which archived values held. */
  readonly ts: number;
  /** The meter's own stamp, when it sent one. */
  readonly meterAt?: number;
  /** One stamp for everything that one exchange or uplink brought. */
  readonly receivedAt: number;
  readonly source: Source;
  /** Left out: decided here (measured, late, suspect). */
  readonly status?: Status;
  readonly values: Values;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Who and why, for the history of a row that this one replaces. */
  readonly userId?: number;
  readonly reason?: string;
}

/** What became of the readings of one call; the numbers add up to what was given. */
export interface Ingested {
  /** New rows. */
  readonly stored: number;
  /** The same value was there already. */
  readonly repeated: number;
  /** Took the place of a row of equal or lower worth, or added fields to it. */
  readonly replaced: number;
  /** Not taken: the row that is there is worth more. */
  readonly refused: number;
  /** Kept aside: the time cannot be right. */
  readonly aside: number;
  /** No such device, message type or field. */
  readonly unknown: number;
}

/** A set of fields in canonical order, as `field_set` holds it. */
export interface FieldSet {
  readonly id: number;
  readonly fields: readonly FieldName[];
  /** Positions of the counters, and of everything else: what sums, minima and maxima are kept of. */
  readonly counters: readonly number[];
  readonly moving: readonly number[];
}

/** What ingest must know of a device. */
export interface DeviceFacts {
  readonly id: DeviceId;
  readonly companyId: number;
  readonly modelId: number;
  /** IANA zone in which its days are counted. */
  readonly zone: string;
  readonly reportPeriodSec: number;
  /** What its counters count through, in the unit of the stored values. */
  readonly counterCapacity: number | undefined;
  /** Where a counter of pulses stands at zero; other counters begin at zero. */
  readonly counterStart: { readonly field: FieldName; readonly value: number } | undefined;
}

/** A row of `message` on its way into the store. */
export interface Row {
  readonly device: DeviceFacts;
  readonly msgType: number;
  readonly ts: number;
  readonly meterAt: number | null;
  readonly receivedAt: number;
  readonly status: number;
  readonly source: number;
  readonly set: FieldSet;
  /** In the order of the set; null: the meter said "not kept". */
  readonly v: readonly (number | null)[];
  /** The set of the fields that hold a number, for the row of the day. */
  readonly daySet: FieldSet;
  readonly extra: string | null;
  /** A person or a rule gave the status; an automatic one never lifts an equal value. */
  readonly isDecided: boolean;
  readonly userId: number | null;
  readonly reason: string | null;
  /** Position in the batch. */
  readonly at: number;
}

const ranks = new Map(Object.values(statuses).map(({ id, rank }) => [id as number, rank as number]));
const statusNames = new Map(Object.entries(statuses).map(([name, { id }]) => [id as number, name as Status]));
const sourceNames = new Map(Object.entries(sources).map(([name, id]) => [id as number, name as Source]));

export const statusName = (id: number): Status => statusNames.get(id) ?? "measured";
export const sourceName = (id: number): Source => sourceNames.get(id) ?? "polled";

/** What a row is worth against another of the same key: a calculated one stands just below a measured one. */
export function worthOf(row: { readonly status: number; readonly source: number }): number {
  return (ranks.get(row.status) ?? 0) - (row.source === sources.calculated ? 5 : 0);
}

/** Suspect and rejected values stay out of the numbers of a day until somebody has looked at them. */
export function isTrusted(status: number): boolean {
  return status !== statuses.suspect.id && status !== statuses.rejected.id;
}
