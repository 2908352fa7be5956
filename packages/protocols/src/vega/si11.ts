import type { FieldName, TraceValue } from "@metrum/vocabulary";
import { ByteReader, ByteWriter, type Span } from "../core/bytes.ts";
import type { PulseScale } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { fromPulses, toPulses } from "../core/pulses.ts";
import type { Reading } from "../core/reading.ts";

const inputs = [1, 2, 3, 4] as const;
type Input = (typeof inputs)[number];

interface Every {
  readonly count: number;
  readonly unit: "min" | "h";
}

/** Sending periods by the three bits of the settings, lowest bit first as the manual prints them. */
const periods: Readonly<Record<number, Every>> = {
  0b000: { count: 5, unit: "min" },
  0b001: { count: 15, unit: "min" },
  0b010: { count: 30, unit: "min" },
  0b011: { count: 1, unit: "h" },
  0b100: { count: 6, unit: "h" },
  0b101: { count: 12, unit: "h" },
  0b110: { count: 24, unit: "h" },
};

/** Settings byte that every packet of port 2 carries. */
interface Settings {
  readonly abp: boolean;
  readonly period: string;
  /** Absent: a code that the manual does not have. */
  readonly periodSec?: number;
  /** Inputs that monitor a contact: they report 0 (open) or 1 (closed), not pulses. */
  readonly security: readonly Input[];
}

/** Why the second layout was sent: 0 by time, else the guarded input that changed. */
const mostReason = 4;

/** A packet, before conversion of pulses. */
export type Si11Packet =
  | {
      readonly kind: "current";
      readonly battery: number;
      readonly settings: Settings;
      readonly at: number;
      readonly temperature: number;
      readonly counts: Readonly<Record<Input, number>>;
    }
  | {
      readonly kind: "alarm";
      readonly battery: number;
      readonly settings: Settings;
      readonly input: number;
      readonly at: number;
      /** Only the second layout has it. */
      readonly temperature?: number;
      readonly counts: Readonly<Record<Input, number>>;
    }
  | { readonly kind: "time"; readonly at: number }
  | { readonly kind: "settings"; readonly values: readonly { id: number; value: Uint8Array }[] }
  | { readonly kind: "settingsRequest" };

interface Si11Options {
  readonly trace?: Span[] | undefined;
  /** Epoch seconds UTC: decides where a packet could be of either layout. */
  readonly receivedAt?: number | undefined;
}

/**
 * Reads one uplink of a Vega SI-11 pulse counter.
 * Source: Vega SI-11 user manual, rev. 26, communication protocol.
 * Layout: little-endian. Port 2 type 1 (24 bytes): type, battery, settings, time, temperature int8, four
 * counts u32. Port 2 type 2 (24 bytes): type, battery, settings, input of the alarm, time, four counts. Port
 * 4 type 255: the device's time. Port 3 type 0: settings as id u16, length u8, value; type 1: request for
 * them. Second layout of port 2 (24 bytes, `isSecondLayout`): reason (0 by time, 1 to 4 a guarded input),
 * battery, time, temperature int8, four counts u32, settings [payload scripts of the maker].
 * Units and range: battery 0 to 100 %, temperature in whole °C, time in Unix seconds UTC.
 * Errors: ProtocolError "unsupported" for another port or type, "unexpected" when bytes are missing or left
 * over.
 */
export function decodeSi11(payload: Uint8Array, fport: number, options: Si11Options = {}): Si11Packet {
  const reader = new ByteReader(payload, { trace: options.trace });
  if (fport === 2 && isSecondLayout(payload, options.receivedAt)) return readSecondLayout(reader);
  const type = reader.u8("packet_type");
  const packet = readPacket(reader, fport, type);
  if (!reader.done) reader.fail("bytes left over");
  return packet;
}

const packetBytes = 24;
/** 2015 to 2038: the first devices, and the end of 31-bit seconds. */
const isDeviceTime = (seconds: number): boolean => seconds >= 0x5600_0000 && seconds < 0x8000_0000;
/** A packet is sent soon after its slot. */
const mostAgeSec = 31 * 86_400;

/**
 * Whether a packet of port 2 has the second layout, whose reasons 1 and 2 are the types of the first one. The
 * layout is the one whose time is that of a device and near to the reception. If both are, the nearer one; if
 * neither is, the first, whose wrong time is then refused as such. Errors: none.
 */
function isSecondLayout(payload: Uint8Array, receivedAt: number | undefined): boolean {
  const [reason = 0xff, , settings = 0, input = 0] = payload;
  if (payload.length !== packetBytes || reason > mostReason) return false;
  if (reason !== 1 && reason !== 2) return true;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const ageOf = (time: number): number => Math.abs(time - (receivedAt ?? time));
  const fits = (time: number): boolean => isDeviceTime(time) && ageOf(time) <= mostAgeSec;
  const first = view.getUint32(reason === 1 ? 3 : 4, true);
  const second = view.getUint32(2, true);
  const isGuarded = reason === 1 || (input >= 1 && input <= 4 && ((settings >> (input + 3)) & 1) === 1);
  if (!isGuarded || !fits(first)) return fits(second);
  return fits(second) && ageOf(second) < ageOf(first);
}

function readSecondLayout(reader: ByteReader): Si11Packet {
  const input = reader.u8("reason_of_sending");
  const battery = reader.u8({ code: "battery", unit: "%" });
  const at = reader.u32le("time");
  const temperature = reader.i8({ code: "temperature", unit: "°C" });
  const counts = readCounts(reader);
  const shared = { battery, settings: readSettings(reader), at, temperature, counts };
  return input === 0 ? { kind: "current", ...shared } : { kind: "alarm", input, ...shared };
}

function readPacket(reader: ByteReader, fport: number, type: number): Si11Packet {
  switch (`${fport}/${type}`) {
    case "2/1": {
      const head = readHead(reader);
      const at = reader.u32le("time");
      return {
        kind: "current",
        ...head,
        at,
        temperature: reader.i8({ code: "temperature", unit: "°C" }),
        counts: readCounts(reader),
      };
    }
    case "2/2": {
      const head = readHead(reader);
      const input = reader.u8("input_of_the_alarm");
      return { kind: "alarm", ...head, input, at: reader.u32le("time"), counts: readCounts(reader) };
    }
    case "3/0":
      return { kind: "settings", values: readSettingValues(reader) };
    case "3/1":
      return { kind: "settingsRequest" };
    case "4/255":
      return { kind: "time", at: reader.u32le("time") };
    default:
      throw new ProtocolError("unsupported", `packet type ${type} on port ${fport}`, { offset: 0 });
  }
}

function readHead(reader: ByteReader): { battery: number; settings: Settings } {
  const battery = reader.u8({ code: "battery", unit: "%" });
  return { battery, settings: readSettings(reader) };
}

function readSettings(reader: ByteReader): Settings {
  const start = reader.position;
  const bits = reader.u8();
  const every = periods[(bits >> 1) & 7];
  const settings: Settings = {
    abp: (bits & 1) === 1,
    period: every ? `${every.count} ${every.unit}` : "unknown",
    ...(every ? { periodSec: every.count * (every.unit === "min" ? 60 : 3600) } : {}),
    security: inputs.filter((input) => (bits >> (input + 3)) & 1),
  };
  reader.noteSince(start, "settings", every ? settingsValue(settings, every) : null);
  return settings;
}

function settingsValue({ abp, security }: Settings, every: Every): TraceValue {
  const parameters = { n: abp ? "ABP" : "OTAA", ...every };
  return {
    word:
      security.length === 0
        ? { code: "si11_settings", ...parameters }
        : { code: "si11_settings_guarded", ...parameters, detail: security.join(", ") },
  };
}

function readCounts(reader: ByteReader): Record<Input, number> {
  const count = (input: Input) => reader.u32le({ code: "input", n: input, unit: "pulses" });
  return { 1: count(1), 2: count(2), 3: count(3), 4: count(4) };
}

function readSettingValues(reader: ByteReader): { id: number; value: Uint8Array }[] {
  const values: { id: number; value: Uint8Array }[] = [];
  while (!reader.done) {
    const id = reader.u16le("setting");
    const length = reader.u8("length");
    values.push({ id, value: reader.take(length, { code: "setting_value", n: id }) });
  }
  return values;
}

/**
 * Readings of a packet: type 1 gives volumes, temperature and battery (message type 1), type 2 an alarm
 * (message type 3) whose `status_code` is the number of the input. Guarded inputs are null, for their number
 * is no volume. `startingValue` belongs to input 1, the device's main counter. The stamp is the slot of the
 * reading, not the moment of sending. Others give none.
 */
export function readingsOf(packet: Si11Packet, scale: PulseScale): Reading[] {
  if (packet.kind !== "current" && packet.kind !== "alarm") return [];
  const { settings, counts, at, battery } = packet;
  const volumes: Partial<Record<FieldName, number | null>> = {};
  for (const input of inputs)
    volumes[`in${input}`] = settings.security.includes(input)
      ? null
      : fromPulses(counts[input], input === 1 ? scale : { ...scale, startingValue: 0 });
  const shared = { at, meterAt: at };
  const { temperature } = packet;
  const values = { ...volumes, ...(temperature === undefined ? {} : { temperature }), battery };
  return packet.kind === "alarm"
    ? [{ ...shared, msgType: 3, values: { ...values, status_code: packet.input } }]
    : [{ ...shared, msgType: 1, values }];
}

/** Settings byte of a simulated device: OTAA, a reading every hour, no guarded inputs. */
const simulatedSettings = 0b0000_0110;

const inRange = (value: number, min: number, max: number) =>
  Math.min(max, Math.max(min, Math.round(Number.isFinite(value) ? value : 0)));

/** The packet of the slot `at`; the caller chooses the slot, like the clock of the device. */
export function encodeCurrent(
  scale: PulseScale,
  state: (field: FieldName) => number,
  at: number,
): Uint8Array {
  const writer = new ByteWriter(24)
    .u8(1)
    .u8(inRange(state("battery"), 0, 100))
    .u8(simulatedSettings)
    .u32le(inRange(at, 0, 0xffffffff))
    .i8(inRange(state("temperature"), -128, 127));
  for (const input of inputs)
    writer.u32le(toPulses(state(`in${input}`), input === 1 ? scale : { ...scale, startingValue: 0 }));
  return writer.finish();
}

/**
 * The downlink (port 4) that answers a time request.
 * Source: the same manual. Layout: 255, correction in seconds as int64 little-endian.
 */
export function encodeTimeCorrection(seconds: number): Uint8Array {
  const bytes = new Uint8Array(9);
  bytes[0] = 255;
  new DataView(bytes.buffer).setBigInt64(1, BigInt(Math.trunc(seconds)), true);
  return bytes;
}

/** Maximum network delay; a clock within it needs no correction. */
const tolerance = 2;

/** The correction for a time request. Source: the same manual, "request for a correction of time". */
export function correctionFor(payload: Uint8Array, fport: number, heardAt: number) {
  const [type] = payload;
  if (fport !== 4 || type !== 255 || payload.length !== 5) return undefined;
  const packet = decodeSi11(payload, fport);
  const seconds = packet.kind === "time" ? heardAt - packet.at : 0;
  return Math.abs(seconds) <= tolerance ? undefined : { fport: 4, payload: encodeTimeCorrection(seconds) };
}
