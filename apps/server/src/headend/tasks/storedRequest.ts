import { fieldFault, problem, type FieldFault, type WrongFields } from "@metrum/contract/core";
import type { KeptArchive } from "@metrum/protocols/core";
import {
  archiveOfWireType,
  archiveTypes,
  isArchiveType,
  type ArchiveType,
  type ArchiveTypeId,
} from "@metrum/vocabulary";
import { offsetSec } from "#core";
import { lineModel } from "#headend/exchanges";

type Management = Readonly<Record<string, unknown>>;

/** What a user requests from the memory of a meter: an archive, the power profile of a day, or a journal. */
export interface StoredRequest {
  readonly msgType: number;
  /** By the clock of the device, in seconds since 1970; the end is exclusive. Absent: all that the meter keeps. */
  readonly local?: { readonly from: number; readonly to: number };
  /** Number of the journal. */
  readonly journal?: number;
}

const archiveKeys: readonly string[] = ["type", "archive", "archiveTime", "archiveTimeEnd"];
const profileKeys: readonly string[] = ["archive_profile"];
const journalKeys: readonly string[] = ["event_log", "event_index"];

/**
 * Whether a key of `management` belongs to a request of stored data. `archiveTimeEnd` is an addition to the
 * specification: the last date of a period.
 */
export const isStoredRequestKey = (key: string): boolean =>
  [archiveKeys, profileKeys, journalKeys].some((keys) => keys.includes(key));

const profileType = 5;
const journalType = 7;
const daySec = 86_400;
const hourSec = 3600;

/**
 * The stored data that a `management` object requests; undefined if it requests none. Problem: wrong_input with
 * the faulty fields.
 */
export function storedRequestOf(management: Management): StoredRequest | undefined {
  const keys = Object.keys(management);
  if (!keys.some(isStoredRequestKey)) return undefined;
  const read =
    "archive_profile" in management
      ? { keys: profileKeys, request: profileOf(management) }
      : "event_log" in management || "event_index" in management
        ? { keys: journalKeys, request: journalOf(management) }
        : { keys: archiveKeys, request: archiveOf(management) };
  const others = keys.filter((key) => !read.keys.includes(key));
  if (others.length > 0) throw faulty(others.map((key) => [key, fieldFault("unknown_field")]));
  if ("faults" in read.request) throw faulty(read.request.faults);
  return read.request;
}

type Faults = readonly (readonly [field: string, fault: FieldFault])[];
type Parsed<Value> = Value | { readonly faults: Faults };

const faulty = (faults: Faults) => problem("wrong_input", { attributes: attributesOf(faults) });

function attributesOf(faults: Faults): WrongFields {
  return Object.fromEntries(faults.map(([field, fault]) => [`management.${field}`, [fault]]));
}

function profileOf({ archive_profile }: Management): Parsed<StoredRequest> {
  const at = localTimeOf(archive_profile);
  if (at === undefined) return { faults: [["archive_profile", faultOfTime(archive_profile)]] };
  return { msgType: profileType, local: periodOf("day", at) };
}

const mostJournals = 255;

function journalOf({ event_log, event_index }: Management): Parsed<StoredRequest> {
  if (event_log !== true && event_log !== 1) return { faults: [["event_log", fieldFault("required")]] };
  const journal = numberOf(event_index);
  if (journal === undefined || journal > mostJournals)
    return { faults: [["event_index", fieldFault(event_index === undefined ? "required" : "wrong")]] };
  return { msgType: journalType, journal };
}

function archiveOf({ type, archive, archiveTime, archiveTimeEnd }: Management): Parsed<StoredRequest> {
  const msgType = archiveTypeOf(type, archive);
  const from = localTimeOf(archiveTime);
  const to = archiveTimeEnd === undefined ? from : localTimeOf(archiveTimeEnd);
  const faults: Faults = [
    ...(msgType === undefined
      ? [["type", fieldFault(type === undefined ? "required" : "wrong")] as const]
      : []),
    ...(from === undefined ? [["archiveTime", faultOfTime(archiveTime)] as const] : []),
    ...(to === undefined && archiveTimeEnd !== undefined
      ? [["archiveTimeEnd", faultOfTime(archiveTimeEnd)] as const]
      : []),
  ];
  if (msgType === undefined || from === undefined || to === undefined) return { faults };
  const { period, maxDays } = archiveTypes[msgType];
  if (to < from) return { faults: [["archiveTimeEnd", fieldFault("before_start")]] };
  const local = { from: periodOf(period, from).from, to: periodOf(period, to).to };
  if (to - from >= maxDays * daySec)
    return { faults: [["archiveTimeEnd", fieldFault("period_long", { days: maxDays })]] };
  return { msgType, local };
}

/** The archive of both keys, which must agree; either is enough. */
function archiveTypeOf(type: unknown, archive: unknown): ArchiveTypeId | undefined {
  const [named, wire] = [numberOf(archive), numberOf(type)];
  const byName = named !== undefined && isArchiveType(named) ? named : undefined;
  if (wire === undefined) return type === undefined ? byName : undefined;
  const byType = archiveOfWireType(wire);
  return byName === undefined || byName === byType ? byType : undefined;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 ? number : undefined;
}

const faultOfTime = (value: unknown): FieldFault => fieldFault(value === undefined ? "required" : "format");

const timePattern = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d)(?::(\d\d)(?::(\d\d))?)?)?$/;
const earliestYear = 1970;

/** `YYYY-MM-DD HH:mm:ss` in seconds since 1970; missing seconds, minutes and hours are zero. */
function localTimeOf(value: unknown): number | undefined {
  const parts = typeof value === "string" ? timePattern.exec(value.trim()) : null;
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= earliestYear;
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined;
  return date.getTime() / 1000 + hour * hourSec + minute * 60 + second;
}

/** Months of the periods that begin with a month. */
const monthsOf = { month: 1, quarter: 3, half_year: 6, year: 12 } as const;
/** 1970-01-01 was a Thursday, and weeks begin on Monday. */
const firstMonday = 4 * daySec;

/** The period of an archive that contains a local time. */
function periodOf(period: ArchiveType["period"], at: number): { from: number; to: number } {
  switch (period) {
    case "hour":
    case "day":
    case "week":
    case "any": {
      const length = period === "hour" ? hourSec : period === "week" ? 7 * daySec : daySec;
      const first = period === "week" ? firstMonday : 0;
      const from = Math.floor((at - first) / length) * length + first;
      return { from, to: from + length };
    }
    default: {
      const months = monthsOf[period];
      const date = new Date(at * 1000);
      const month = Math.floor(date.getUTCMonth() / months) * months;
      const start = (of: number) => Date.UTC(date.getUTCFullYear(), of, 1) / 1000;
      return { from: start(month), to: start(month + months) };
    }
  }
}

/** What is read for a request: one archive of the meter in a period. Epoch seconds UTC, the end exclusive. */
export interface StoredRead {
  readonly archive: KeptArchive;
  readonly from: number;
  readonly to: number;
  readonly journal?: number;
}

/** Why a device cannot answer a request, and the field of `management` to blame. */
export interface StoredRefusal {
  readonly field: string;
  readonly fault: FieldFault;
}

export interface StoringDevice {
  readonly modelId: number;
  /** IANA zone of its location. */
  readonly zone: string;
}

/** What to read from a device for a request, as far as the meter keeps it, or why nothing can be read. */
export function storedReadOf(
  { modelId, zone }: StoringDevice,
  { msgType, local, journal }: StoredRequest,
  now: number,
): StoredRead | StoredRefusal {
  const field = journal !== undefined ? "event_index" : msgType === profileType ? "archive_profile" : "type";
  const driver = lineModel(modelId)?.driver;
  if (!driver) return { field, fault: fieldFault("not_polled") };
  const archive = driver.archives.find((each) => each.msgType === msgType);
  const isKept = archive && (journal === undefined || driver.journals?.[journal] !== undefined);
  if (!isKept)
    return { field, fault: fieldFault(journal === undefined ? "archive_not_kept" : "journal_not_kept") };
  const oldest = now - archive.depthSec;
  if (!local) return { archive, from: oldest, to: now, ...(journal === undefined ? {} : { journal }) };
  const [from, to] = [instantOf(zone, local.from, "first"), instantOf(zone, local.to, "last")];
  const timeField = msgType === profileType ? field : "archiveTime";
  if (from >= now) return { field: timeField, fault: fieldFault("in_future") };
  if (to <= oldest) {
    const days = Math.floor(archive.depthSec / daySec);
    return { field: timeField, fault: fieldFault("erased", { days }) };
  }
  return { archive, from: Math.max(from, oldest), to: Math.min(to, now) };
}

/** The devices that cannot answer a request, with the reason. */
export function refusalsOf(
  devices: readonly (StoringDevice & { readonly id: number })[],
  request: StoredRequest,
  now: number,
): ReadonlyMap<number, StoredRefusal> {
  const refusals = new Map<number, StoredRefusal>();
  for (const device of devices) {
    const read = storedReadOf(device, request, now);
    if ("fault" in read) refusals.set(device.id, read);
  }
  return refusals;
}

/** An instant at which the clocks of a zone show a time: of the two in autumn, the first or the last. */
function instantOf(zone: string, local: number, which: "first" | "last"): number {
  const candidates = [local - daySec, local + daySec]
    .map((near) => local - offsetSec(zone, near))
    .filter((at) => at + offsetSec(zone, at) === local);
  if (candidates.length === 0) return local - offsetSec(zone, local - daySec);
  return which === "first" ? Math.min(...candidates) : Math.max(...candidates);
}

/** Whether two requests are for the same archive or journal. */
export const isSameKind = (one: StoredRequest, other: StoredRequest): boolean =>
  one.msgType === other.msgType && one.journal === other.journal;

/** Whether two requests are for the same data. */
export const isSameRequest = (one: StoredRequest, other: StoredRequest): boolean =>
  isSameKind(one, other) && one.local?.from === other.local?.from && one.local?.to === other.local?.to;
