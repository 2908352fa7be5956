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

/** A reading to be stored: polled, pushed, imported, entered or calculated. */
export interface Incoming {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  /** The slot of the values, epoch seconds UTC: start of a profile interval, time of archived values. */
  readonly ts: number;
  /** The meter's own time stamp, if it sent one. */
  readonly meterAt?: number;
  /** Time of receipt, common to all readings of one exchange or uplink. */
  readonly receivedAt: number;
  readonly source: Source;
  /** Absent: decided by ingest (measured, late, suspect). */
  readonly status?: Status;
  readonly values: Values;
  /**
   * For a journal event: the number of its record in the meter, or its index among equal ones of its second.
   */
  readonly record?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** A stored payload was re-decoded. */
  readonly isDecodedAgain?: boolean;
  /** A user has checked the time stamp and released the reading from quarantine: time limits do not apply. */
  readonly isReleased?: boolean;
  /**
   * A verdict of a user or rule on values that are stored: an equal value takes the status, whatever its rank;
   * one that has changed meanwhile stays as it is, unless its rank is lower.
   */
  readonly isVerdict?: boolean;
  /** Author and reason, for the revision of a row that this one replaces. */
  readonly userId?: number;
  readonly reason?: string;
}

/** Outcome of the readings of one call; the numbers add up to the number of readings. */
export interface Ingested {
  /** New rows. */
  readonly stored: number;
  /** The same value was already stored. */
  readonly repeated: number;
  /** Replaced a row of equal or lower rank, or added fields to it. */
  readonly replaced: number;
  /** Not accepted: the stored row has a higher rank. */
  readonly refused: number;
  /** Implausible time stamp: not stored, in quarantine until a user decides. */
  readonly quarantined: number;
  /** Unknown device, message type or field. */
  readonly unknown: number;
}

/** A field set in the order of names, as stored in `field_set`. */
export interface FieldSet {
  readonly id: number;
  readonly fields: readonly FieldName[];
  /** Positions of the counters, and of all other fields, for which sums, minima and maxima are kept. */
  readonly counters: readonly number[];
  readonly moving: readonly number[];
  /** Position of each field. */
  readonly at: ReadonlyMap<string, number>;
}

/** Metadata of a device needed by ingest. */
export interface DeviceMetadata {
  readonly id: DeviceId;
  readonly companyId: number;
  readonly modelId: number;
  /** IANA zone of its calendar days. */
  readonly zone: string;
  readonly reportPeriodSec: number;
  /** Capacity of its counters, in the unit of the stored values. */
  readonly counterCapacity: number | undefined;
  /** The same of single counters whose capacity is another. */
  readonly capacities?: Readonly<Partial<Record<FieldName, number>>> | undefined;
  /** Maximum age of its readings at receipt, in seconds by message type, if its model limits it. */
  readonly depths: ReadonlyMap<number, number>;
  /** Start of a pulse counter; other counters start at zero. */
  readonly counterStart: { readonly field: FieldName; readonly value: number } | undefined;
  /** Hours at full load that the digits of its counters are enough for; undefined: not known. */
  readonly holdsHours?: number | undefined;
  /** Bit mask of the kinds of `due/kinds.ts` that depend on its readings; up to half a minute old. */
  readonly dependants: number;
  /** Computed of other devices, derived rows included. */
  readonly isVirtual?: boolean;
}

/** A row of `message` to be stored. */
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
  /** A user or a rule set the status; an automatic one never lifts an equal value. */
  readonly isDecided: boolean;
  /** Equal values take its status, whatever its rank. */
  readonly isVerdict: boolean;
  /** From a re-decoded payload: it replaces neither entered nor corrected values of users. */
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
