import { codeOf, undecoded } from "../core/spans.ts";
import type { TraceName } from "@metrum/vocabulary";
import type { ResourceKey } from "@metrum/vocabulary";
import { ByteWriter, type Span } from "../core/bytes.ts";
import type { DeviceAddress, MeterState, RecordFormat, UplinkDevice, UplinkDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { withWarnings, type Reading } from "../core/reading.ts";
import { aesKeyForm } from "../core/secretForms.ts";
import { mediumOf, statusWords } from "../mbus/header.ts";
import { encodeRecord } from "../mbus/encode.ts";
import {
  inZoneOf,
  prepareRow,
  readingsOf,
  type MbusRow,
  type PreparedRow,
  type ReadingPlan,
} from "../mbus/readings.ts";
import { toHex } from "../core/bytes.ts";
import { formatCache, type FormatCache } from "./compact.ts";
import { keyOf } from "./crypto.ts";
import { buildTelegram, type Security } from "./encode.ts";
import type { MakersLayout } from "./makers/layout.ts";
import { readWmbus, type ReadOptions, type WmbusTelegram } from "./telegram.ts";

/** A family of wireless M-Bus meters, as its data sheet describes it. */
export interface WmbusOptions {
  /** Determines the unit of fields shared by resources: a heat meter stores Gcal in tariff1. */
  readonly resource: ResourceKey;
  /** Three capital letters; the first are the simulator's. A telegram of another manufacturer is refused. */
  readonly manufacturers: readonly [string, ...string[]];
  readonly version: number;
  readonly medium: number;
  /** Records of the telegram in the order of sending. */
  readonly records: readonly MbusRow[];
  /** Protection of the records of these meters if they have a key; default "mode5". */
  readonly security?: Exclude<Security, "none">;
  /**
   * Record heads of further full frames that compact frames shorten, in hexadecimal; that of `records` is
   * known.
   */
  readonly formats?: readonly string[];
  /** Manufacturer specific layout of these meters; `records` are then the values of the layout. */
  readonly layout?: MakersLayout;
  /**
   * The meter's standard time against UTC if the device has none; the telegram carries no zone. Default 0.
   */
  readonly utcOffsetMinutes?: number;
}

/**
 * Driver of a family of radio meters that send by themselves.
 * Source: EN 13757-4, EN 13757-7, OMS vol. 2 (`readWmbus`), EN 13757-3 (records, `MbusRow`). Payload: one
 * telegram from L on, with or without the check sums of the radio; the port is not used. The device's
 * `deviceID` ends in the eight digits of the meter, if it has any; `keys.encryption` is its AES-128 key.
 * Units: the vocabulary's for the resource. Several telegrams of a meter may hold different records: each
 * gives what it has. Alarms, and what the telegram holds and is not read, are warnings of the first reading.
 * Errors: ProtocolError as `readWmbus`; "unexpected" for another meter's telegram and for one with none of
 * the model's records; "unsupported" for one of another kind of meter and for one whose bytes are no records
 * to the end; "bad_password" for an unprotected telegram of a device that has a key, as anyone could have
 * sent it. Here, RangeError for a row whose code and field differ.
 */
export function wmbus(options: WmbusOptions): UplinkDriver {
  const { resource, utcOffsetMinutes = 0 } = options;
  const rows = options.records.map((row) => prepareRow(row, resource));
  const plan: ReadingPlan = { resource, utcOffsetMinutes, rows, archives: [] };
  const heads = rows.map(({ row }) => row.code).join("");
  const known = [heads, ...(options.formats ?? [])];
  return {
    kind: "uplink",
    protocol: "wmbus",
    secrets: { encryption: aesKeyForm },
    decode: (payload, _fport, device) =>
      decode(payload, device, { options, plan, known: formatCache(known) }),
    encode: (device, state, at) => ({ fport: 0, payload: encode(options, plan, { device, state, at }) }),
    explain: (payload, _fport, device) =>
      explainWmbus(payload, {
        formats: withOwn(formatCache(known), device?.formats),
        key: usableKey(device),
      }),
  };
}

function decode(
  payload: Uint8Array,
  device: UplinkDevice,
  of: { options: WmbusOptions; plan: ReadingPlan; known: FormatCache },
): Reading[] {
  const learned: RecordFormat[] = [];
  const formats = withOwn(of.known, device.formats, (format) => learned.push(format));
  const key = device.keys?.encryption === undefined ? undefined : keyOf(device.keys.encryption);
  const telegram = readWmbus(payload, { key, formats });
  checkIdentity(telegram, device, of.options);
  if (key !== undefined && telegram.protection === "none")
    throw new ProtocolError("bad_password", "the telegram is not protected, but the device has a key");
  checkLayout(telegram);
  // Only now: a telegram of another meter, or of a sender without the key, must not define the layout of this
  // one.
  for (const format of learned) device.formats?.learn(format);
  const readings = readingsOf(inZoneOf(of.plan, device), telegram.records);
  if (readings.length === 0) {
    const why = telegram.warnings.map((warning) => `; ${warning}`).join("");
    throw new ProtocolError(
      "unexpected",
      `none of the records that the model names is in the telegram${why}`.slice(0, mostWords),
    );
  }
  const alarms = statusWords(telegram.status ?? 0, telegram.meter).map((word) => `status: ${word}`);
  return withWarnings(readings, [...alarms, ...telegram.warnings]);
}

/** Formats known to the model, then those of the device; `learn` receives that of a full frame. */
const withOwn = (
  known: FormatCache,
  own: FormatCache | undefined,
  learn: (format: RecordFormat) => void = () => undefined,
): FormatCache => ({ find: (signature) => known.find(signature) ?? own?.find(signature), learn });

const mostWords = 400;

/** A record truncated by a receiver, or checksums left after the records, are not longer. */
const mostCutOff = 4;

/**
 * Manufacturer specific layouts in place of records can look like records: a "mass of 30,000 kg" is not a
 * reading. A decrypted telegram begins with verification bytes.
 */
function checkLayout({ broken, unread = 0, protection, records }: WmbusTelegram): void {
  if (protection !== "none") return;
  if (broken !== undefined && unread > mostCutOff)
    throw new ProtocolError(
      "unsupported",
      `the layout is not known, the last ${String(unread)} bytes are no records: ${broken.message}`,
    );
  // Zeros between numbers look like records of an energy without data.
  const empty = records.filter(({ kind, raw }) => kind === "value" && raw.length === 0).length;
  if (empty > 1)
    throw new ProtocolError("unsupported", `the layout is not known, ${String(empty)} records hold nothing`);
}

/** Kinds of meters by medium; other media are undetermined. Source: EN 13757-7, table 13. */
const mediaOfKinds: readonly (readonly number[])[] = [
  [0x02],
  [0x03],
  [0x04, 0x0a, 0x0b, 0x0c, 0x0d],
  [0x06, 0x07, 0x15, 0x16, 0x17],
  [0x08],
  [0x1a],
];

function checkIdentity({ meter }: WmbusTelegram, device: UplinkDevice, options: WmbusOptions): void {
  if (!options.manufacturers.includes(meter.manufacturer))
    throw new ProtocolError("unexpected", `a telegram of the maker ${meter.manufacturer}`);
  const kindOf = (medium: number) =>
    mediaOfKinds.find((media) => media.includes(mediumOf(medium, meter.manufacturer)));
  const kind = kindOf(meter.medium);
  const ownKind = kindOf(options.medium);
  if (kind && ownKind && kind !== ownKind)
    throw new ProtocolError("unsupported", `a telegram of another kind of meter: ${meter.mediumName}`);
  const wanted = /\d{8}$/.exec(device.deviceID?.trim() ?? "")?.[0];
  if (wanted !== undefined && wanted !== meter.id)
    throw new ProtocolError("unexpected", `a telegram of meter ${meter.id}, not of ${wanted}`);
}

interface Moment {
  readonly device: DeviceAddress;
  readonly state: MeterState;
  /** Epoch seconds UTC. */
  readonly at: number;
}

function encode(options: WmbusOptions, plan: ReadingPlan, moment: Moment): Uint8Array {
  const { device, at } = moment;
  const key = device.keys?.encryption === undefined ? undefined : keyOf(device.keys.encryption);
  const [manufacturer] = options.manufacturers;
  const id = device.deviceID.replaceAll(/\D/g, "").slice(-8).padStart(8, "0");
  const { utcOffsetMinutes } = inZoneOf(plan, device);
  const { version, medium, layout } = options;
  // A telegram every 16 s has its own number; the counter of a key never repeats.
  const accessNumber = Math.floor(at / 16) & 0xff;
  const meter = { manufacturer, id, version, medium, accessNumber };
  if (layout) {
    const value = (code: string): number => valueOf(plan.rows, code, moment);
    return layout.build({ ...meter, local: Math.floor(at) + utcOffsetMinutes * 60, key, value });
  }
  return buildTelegram(encodeRows(plan.rows, id, moment, utcOffsetMinutes), {
    ...meter,
    counter: Math.floor(at / 16) >>> 0,
    security: key === undefined ? "none" : (options.security ?? "mode5"),
    ...(key === undefined ? {} : { key }),
  });
}

/**
 * Value of a simulated meter for a code of its layout, in the base unit; 0 for one that the model does not
 * name.
 */
function valueOf(rows: readonly PreparedRow[], code: string, { state }: Moment): number {
  const found = rows.find(({ row }) => row.code === code);
  return found?.row.field === undefined ? 0 : state(found.row.field) / found.ratio;
}

/** Records of all rows with the values of this moment. */
export function encodeRows(
  rows: readonly PreparedRow[],
  id: string,
  { state, at }: Pick<Moment, "state" | "at">,
  utcOffsetMinutes: number,
): Uint8Array {
  const writer = new ByteWriter();
  for (const { row, code, ratio, isCounter } of rows) {
    const isDate = code.meaning.form === "dateTime" || code.meaning.form === "date";
    const own = isDate
      ? Math.floor(at) + utcOffsetMinutes * 60
      : code.meaning.quantity === "Fabrication No"
        ? Number(id)
        : 0;
    const value = row.field === undefined ? (row.value ?? own) : state(row.field) / ratio;
    writer.raw(encodeRecord(code, value, isCounter));
  }
  return writer.finish();
}

/** An invalid key is treated as missing if bytes are only named. */
function usableKey(device: Pick<UplinkDevice, "keys"> | undefined): Uint8Array | undefined {
  try {
    return device?.keys?.encryption === undefined ? undefined : keyOf(device.keys.encryption);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

/**
 * Names every byte of a telegram; encrypted bytes are named by their plain text, or as undecryptable, damaged
 * or unknown. Source: as `readWmbus`. Errors: none.
 */
export function explainWmbus(
  payload: Uint8Array,
  options: Pick<ReadOptions, "formats" | "key"> = {},
): Span[] {
  const trace: Span[] = [];
  let failure: TraceName = "not_named";
  try {
    readWmbus(payload, { ...options, trace });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    failure = undecoded(error);
  }
  return filledSpans(payload, joinedFillers(trace), failure);
}

const isFiller = ({ name }: Span): boolean => codeOf(name) === "filler";
const isDecrypted = ({ name }: Span): boolean => typeof name !== "string" && name.isDecrypted === true;

/** Consecutive filler bytes are one span. */
function joinedFillers(trace: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const span of trace.toSorted((a, b) => a.offset - b.offset)) {
    const last = spans.at(-1);
    const isMore =
      last && isDecrypted(last) === isDecrypted(span) && last.offset + last.bytes === span.offset;
    if (isMore && isFiller(last) && isFiller(span))
      spans.splice(-1, 1, { ...last, bytes: last.bytes + span.bytes, value: null });
    else spans.push(span);
  }
  return spans;
}

/**
 * Spans in order with the bytes between them named by `failure`; a span that overlaps an earlier one is
 * omitted. Errors: none.
 */
export function filledSpans(payload: Uint8Array, trace: readonly Span[], failure: TraceName): Span[] {
  const filled: Span[] = [];
  let at = 0;
  const fill = (to: number): void => {
    if (to > at)
      filled.push({ offset: at, bytes: to - at, name: failure, value: toHex(payload.subarray(at, to)) });
    at = Math.max(at, to);
  };
  for (const span of trace.toSorted((a, b) => a.offset - b.offset)) {
    if (span.offset < at || span.offset + span.bytes > payload.length) continue;
    fill(span.offset);
    filled.push(span);
    at = span.offset + span.bytes;
  }
  fill(payload.length);
  return filled;
}
