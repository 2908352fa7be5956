import type { TraceName } from "@metrum/vocabulary";
import { ByteReader, ByteWriter } from "../core/bytes.ts";
import type { CommandResult, DownlinkFunctions } from "../core/command.ts";
import type { Airborne } from "../core/downlinks.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Obedience } from "../core/orders.ts";
import type { DecodedValue } from "../core/reading.ts";
import { decoded, payloadDriver, type FieldRule } from "./payload.ts";

const leak = (value: number) => (value === 1 ? "leak" : value === 0 ? "normal" : "unknown");

/**
 * Reads the payloads of Milesight EM300 sensors (TH temperature and humidity, SLD/ZLD with a leak input).
 * Source: layout inferred from the payload examples of the public collection of ChirpStack device profiles
 * (MIT).
 * Layout: items of channel u8, type u8 and value, little-endian: 01 75 battery %; 03 67 temperature i16,
 * tenths of a degree Celsius; 04 68 humidity u8, halves of a per cent; 05 00 leak 0/1; 20 CE stored: time
 * u32, temperature i16, humidity u8, leak u8; FF 03 period of reports u16, seconds. After a downlink the
 * device repeats it with FE in place of FF; FF 0B and FF FE come after a restart (scripts of the maker,
 * Milesight-IoT/SensorDecoders, em300-th). Errors: ProtocolError "unexpected" for an unknown item or missing
 * bytes.
 */
export function decodeEm300(
  payload: Uint8Array,
  _fport: number,
  trace?: ByteReader["spans"],
): DecodedValue[] {
  const reader = new ByteReader(payload, { trace });
  const values: DecodedValue[] = [];
  while (!reader.done) values.push(...readItem(reader));
  return values;
}

function readItem(reader: ByteReader): DecodedValue[] {
  const item = reader.u16be("channel_and_type");
  switch (item) {
    case 0x0175:
      return [decoded("battery", reader.u8({ code: "battery", unit: "%" }), "%")];
    case 0x0367:
      return [decoded("temperature", i16le(reader, { code: "temperature", unit: "0.1 °C" }) / 10, "°C")];
    case 0x0468:
      return [decoded("humidity", reader.u8({ code: "humidity", unit: "0.5 %" }) / 2, "%")];
    case 0x0500:
      return [decoded("leakage_status", leak(reader.u8("leak")))];
    case 0x20ce:
      return readStored(reader);
    case 0xfe10:
      return [decoded("restart_order", reader.u8("restart_mark"))];
    case 0xff0b:
    case 0xfffe:
      return [decoded("restart", reader.u8("restart_mark"))];
    case 0xfe03:
    case 0xff03:
      return [decoded("report_interval", reader.u16le({ code: "report_period", unit: "s" }), "s")];
    default:
      return reader.fail("unknown channel and type");
  }
}

function readStored(reader: ByteReader): DecodedValue[] {
  const time = new Date(reader.u32le("time") * 1000).toISOString();
  return [
    decoded("temperature", i16le(reader, { code: "temperature", unit: "0.1 °C" }) / 10, "°C"),
    decoded("humidity", reader.u8({ code: "humidity", unit: "0.5 %" }) / 2, "%"),
    decoded("leakage_status", leak(reader.u8("leak"))),
  ].map((value) => ({ ...value, time }));
}

function i16le(reader: ByteReader, name: TraceName): number {
  const raw = reader.u16le(name);
  return raw > 0x7fff ? raw - 0x10000 : raw;
}

/** What a payload tells by this name; undefined: nothing, or it is none of this device. */
function told(payload: Uint8Array, name: string): DecodedValue["value"] | undefined {
  try {
    return decodeEm300(payload, applicationPort).findLast((value) => value.name === name)?.value;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

const applicationPort = 85;
const longestPeriodSec = 64_800;
const restartBytes = Uint8Array.of(0xff, 0x10, 0xff);

const periodItem = (head: number, seconds: number): Uint8Array =>
  new ByteWriter(4).u8(head).u8(0x03).u16le(seconds).finish();

/**
 * Period of reports and restart.
 * Source: scripts of the maker (Milesight-IoT/SensorDecoders, em300-th): FF 03 and u16 seconds, 1 to 64,800;
 * FF 10 FF. The device repeats both, and reports its restart: only that proves it. Nothing shows the period.
 */
const commands = {
  report_period: (_device, { report_period, offset }) => {
    if (offset !== 0 || report_period > longestPeriodSec)
      throw new ProtocolError("unsupported", "the period is up to 64800 s, without an offset");
    return {
      fport: applicationPort,
      payload: periodItem(0xff, report_period),
      proof: (payload): CommandResult | undefined =>
        told(payload, "report_interval") === report_period
          ? { state: "done", read: { report_period: { report_period, offset } } }
          : undefined,
    };
  },
  reset: () => ({
    fport: applicationPort,
    payload: restartBytes,
    proof: (payload): CommandResult | undefined =>
      told(payload, "restart") === undefined ? undefined : { state: "done" },
  }),
} satisfies DownlinkFunctions;

/** The side of a simulated device that receives its commands, repeats them, and reports its restart. */
const receive: UplinkDriver["receive"] =
  (takeOrder) =>
  ({ payload }): readonly Airborne[] => {
    const reader = new ByteReader(payload);
    const isRestart = payload.length === 3 && reader.u16be() === 0xff10;
    if (isRestart) {
      const obedience = takeOrder({ kind: "restart" });
      const repeated = answering(obedience, Uint8Array.of(0xfe, 0x10, 0xff));
      return obedience === "obey"
        ? [...repeated, ...answering(obedience, Uint8Array.of(0xff, 0x0b, 0xff))]
        : repeated;
    }
    const seconds = payload.length === 4 ? told(payload, "report_interval") : undefined;
    if (typeof seconds !== "number") return [];
    const obedience = takeOrder({ kind: "set", name: "report_period", value: seconds });
    return answering(obedience, periodItem(0xfe, seconds));
  };

/** A device that lies repeats the command, too; one that refuses is silent. */
const answering = (obedience: Obedience, payload: Uint8Array): readonly Airborne[] =>
  obedience === "refuse" ? [] : [{ fport: applicationPort, payload }];

const fields: Readonly<Record<string, FieldRule>> = {
  battery: { field: "battery" },
  temperature: { field: "temperature" },
  humidity: { field: "Humidity" },
};

/** Driver of the EM300 family. Layout, source and errors: `decodeEm300`. */
export function milesightEm300(): UplinkDriver {
  return payloadDriver({
    protocol: "milesight-em300",
    decode: decodeEm300,
    fields,
    commands,
    receive,
    encode: (value) => ({
      fport: applicationPort,
      payload: new ByteWriter(16)
        .u16be(0x0175)
        .u8(Math.round(value("battery")) & 0xff)
        .u16be(0x0367)
        .u16le(Math.round(value("temperature") * 10) & 0xffff)
        .u16be(0x0468)
        .u8(Math.round(value("humidity") * 2) & 0xff)
        .finish(),
    }),
  });
}
