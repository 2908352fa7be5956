import {
  sources,
  statuses,
  type DeviceId,
  type FieldName,
  type Source,
  type Status,
} from "@metrum/vocabulary";
import type { ByField } from "./trust.ts";

export type Values = Readonly<Partial<Record<FieldName, number | null>>>;

/** A reading on its way into the store: polled, pushed, imported, entered or calculated. */
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
  /** Of an event of a journal: the number of its record in the meter, or its place among equal ones of its second. */
  readonly record?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** A kept payload was decoded once more. */
  readonly isDecodedAgain?: boolean;
  /** A person has looked at the stamp and released the reading from quarantine: the bounds of clocks do not hold for it. */
  readonly isReleased?: boolean;
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
  /** The stamp cannot be right: not stored, in quarantine until somebody decides. */
  readonly quarantined: number;
  /** No such device, message type or field. */
  readonly unknown: number;
}

/** A set of fields in the order of their names, as `field_set` holds it. */
export interface FieldSet {
  readonly id: number;
  readonly fields: readonly FieldName[];
  /** Positions of the counters, and of everything else: what sums, minima and maxima are kept of. */
  readonly counters: readonly number[];
  readonly moving: readonly number[];
  /** Position of each field. */
  readonly at: ReadonlyMap<string, number>;
}

/** What ingest must know of a device. */
export interface DeviceMetadata {
  readonly id: DeviceId;
  readonly companyId: number;
  readonly modelId: number;
  /** IANA zone in which its days are counted. */
  readonly zone: string;
  readonly reportPeriodSec: number;
  /** What its counters count through, in the unit of the stored values. */
  readonly counterCapacity: number | undefined;
  /** How old its readings may be when they are received, in seconds by message type, where its model says so. */
  readonly depths: ReadonlyMap<number, number>;
  /** Where a counter of pulses stands at zero; other counters begin at zero. */
  readonly counterStart: { readonly field: FieldName; readonly value: number } | undefined;
}

/** A row of `message` on its way into the store. */
export interface Row {
  readonly device: DeviceMetadata;
  readonly msgType: number;
  readonly ts: number;
  readonly meterAt: number | null;
  readonly receivedAt: number;
  readonly status: number;
  readonly source: number;
  /** The set of its device and message type, which only grows. */
  readonly set: FieldSet;
  /** In the order of the set; null: the message had no such field, or its meter had not kept it. */
  readonly v: readonly (number | null)[];
  /** Origins of the values that differ from the row. */
  readonly by_field: ByField | null;
  readonly extra: string | null;
  /** A person or a rule gave the status; an automatic one never lifts an equal value. */
  readonly isDecided: boolean;
  /** A payload was decoded once more: it replaces neither what a person has entered nor what he has corrected. */
  readonly isDecodedAgain: boolean;
  readonly userId: number | null;
  readonly reason: string | null;
  /** Position in the batch. */
  readonly at: number;
}

const statusNames = new Map(Object.entries(statuses).map(([name, { id }]) => [id as number, name as Status]));
const sourceNames = new Map(Object.entries(sources).map(([name, id]) => [id as number, name as Source]));

export const statusName = (id: number): Status => statusNames.get(id) ?? "measured";
export const sourceName = (id: number): Source => sourceNames.get(id) ?? "polled";
