import { createHash } from "node:crypto";
import { isFieldName, sources, statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { isLate } from "../growth/index.ts";
import { isNumber, type DeviceMetadata, type Incoming, type Values } from "../rows/index.ts";

/**
 * Message type of journals on the wire; they are not readings, and have one row per event instead of one per
 * second.
 */
export const journalType = 7;

/** `status_code` on the wire is the number of the journal times this, plus the code of the event. */
const codesOfJournal = 1000;
const mostJournals = 32_768;
/** Neither: an event without a code. */
const none = -1;

/** An event to be stored. */
export interface Event {
  readonly deviceId: DeviceId;
  readonly companyId: number;
  readonly ts: number;
  readonly journal: number;
  readonly code: number;
  /** First 64 bits of the MD5 of `NAME=VALUE,...` in the order of names; "0" without further values. */
  readonly digest: string;
  /** Number of the record, or index among equal events of its second. */
  readonly record: number;
  readonly meterAt: number | null;
  readonly receivedAt: number;
  readonly status: number;
  readonly source: number;
  readonly params: Values | null;
}

/** The event described by a message of type 7; undefined if empty. `record`: see `numberEvents`. */
export function eventOf(reading: Incoming, device: DeviceMetadata, record: number): Event | undefined {
  const { values, status, source, meterAt } = reading;
  const { journal, code, rest } = split(values);
  if (code === none && rest.length === 0) return undefined;
  return {
    deviceId: device.id,
    companyId: device.companyId,
    ts: reading.ts,
    journal,
    code,
    digest: digestOf(rest),
    record,
    meterAt: meterAt ?? null,
    receivedAt: Math.round(reading.receivedAt),
    status: statuses[status ?? (isLate(reading, device) ? "late" : "measured")].id,
    source: sources[source],
    params: rest.length === 0 ? null : Object.fromEntries(rest),
  };
}

type Said = readonly (readonly [FieldName, number])[];

function split(values: Values): { journal: number; code: number; rest: Said } {
  const known: (readonly [FieldName, number])[] = [];
  for (const [name, value] of Object.entries(values))
    if (isFieldName(name) && isNumber(value)) known.push([name, value]);
  known.sort(([a], [b]) => (a < b ? -1 : 1));
  const status = known.find(([name]) => name === "status_code")?.[1];
  if (
    status === undefined ||
    !Number.isInteger(status) ||
    status < 0 ||
    status >= mostJournals * codesOfJournal
  )
    return { journal: none, code: none, rest: known };
  return {
    journal: Math.floor(status / codesOfJournal),
    code: status % codesOfJournal,
    rest: known.filter(([name]) => name !== "status_code"),
  };
}

function digestOf(rest: Said): string {
  if (rest.length === 0) return "0";
  const text = rest.map(([name, value]) => `${name}=${String(value)}`).join(",");
  return createHash("md5").update(text).digest().readBigInt64BE().toString();
}

/** The event on the wire: its code with the number of the journal, and its values. */
export function valuesOf({ journal, code, params }: Pick<Event, "journal" | "code" | "params">): Values {
  return code === none ? (params ?? {}) : { status_code: journal * codesOfJournal + code, ...params };
}

/**
 * Messages of one delivery with the numbers of their events, if several deliveries are stored by one call: an
 * event delivered twice is one, equal events of one delivery are several.
 */
export function withRecords(readings: readonly Incoming[]): readonly Incoming[] {
  if (!readings.some(({ msgType }) => msgType === journalType)) return readings;
  const records = numberEvents(readings);
  return readings.map((reading, at) => ({ ...reading, record: records[at] ?? 0 }));
}

/**
 * Record number of each message of one dialogue or delivery: the meter's own, else the number of equal ones
 * of the same second before it. Two events of one second are thus distinct, and keep their numbers when they
 * are read again.
 */
export function numberEvents(readings: readonly Incoming[]): number[] {
  const seen = new Map<string, number>();
  return readings.map(({ deviceId, ts, record, values }) => {
    if (record !== undefined) return record;
    const { journal, code, rest } = split(values);
    const key = `${String(deviceId)} ${String(ts)} ${String(journal)} ${String(code)} ${digestOf(rest)}`;
    const place = seen.get(key) ?? 0;
    seen.set(key, place + 1);
    return place;
  });
}
