import type { TraceName } from "@metrum/vocabulary";
import { ByteReader, ByteWriter } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import type { DecodedValue } from "../core/reading.ts";
import { decoded, payloadDriver, type FieldRule } from "./payload.ts";

const leak = (value: number) => (value === 1 ? "leak" : value === 0 ? "normal" : "unknown");

/**
 * Reads the payloads of Milesight EM300 sensors (TH temperature and humidity, SLD/ZLD with a leak input).
 * Source: layout inferred from the payload examples of the public collection of ChirpStack device profiles
 * (MIT).
 * Layout: items of channel u8, type u8 and value, little-endian: 01 75 battery %; 03 67 temperature i16,
 * tenths of a degree Celsius; 04 68 humidity u8, halves of a per cent; 05 00 leak 0/1; 20 CE stored: time
 * u32, temperature i16, humidity u8, leak u8; FF 03 period of reports u16, seconds. Errors: ProtocolError
 * "unexpected" for an unknown item or missing bytes.
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
    encode: (value) => ({
      fport: 85,
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
