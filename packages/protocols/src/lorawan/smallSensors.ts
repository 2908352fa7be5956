import { ByteReader, ByteWriter } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import type { DecodedValue } from "../core/reading.ts";
import { decoded, payloadDriver } from "./payload.ts";

const i16 = (raw: number) => (raw > 0x7fff ? raw - 0x10000 : raw);

/**
 * Reads a Dragino LHT65N.
 * Source: layout inferred from a payload example of the public collection of ChirpStack device profiles (MIT)
 * and the manufacturer's manual.
 * Layout, port 2, 11 bytes big-endian: two bits of battery state and 14 of millivolts, temperature i16 in
 * hundredths of a degree Celsius, humidity u16 in tenths of a per cent, kind of external sensor u8 (1:
 * temperature), its value i16 in hundredths, two bytes unused. 7FFF: no external sensor. Errors:
 * ProtocolError "unexpected" when bytes are missing.
 */
export function decodeLht65n(
  payload: Uint8Array,
  _fport: number,
  trace?: ByteReader["spans"],
): DecodedValue[] {
  const reader = new ByteReader(payload, { trace });
  const battery = reader.u16be("battery_state");
  const values = [
    decoded("BatV", (battery & 0x3fff) / 1000, "V"),
    decoded("Bat_status", battery >> 14),
    decoded("TempC_SHT", i16(reader.u16be({ code: "temperature", unit: "0.01 °C" })) / 100, "°C"),
    decoded("Hum_SHT", reader.u16be({ code: "humidity", unit: "0.1 %" }) / 10, "%"),
  ];
  const external = reader.u8("external_sensor");
  const value = i16(reader.u16be("external_value"));
  reader.take(2, "unused");
  return external === 1 ? [...values, decoded("TempC_DS", value / 100, "°C")] : values;
}

/** Driver of the LHT65N. Layout, source and errors: `decodeLht65n`. */
export function draginoLht65n(): UplinkDriver {
  return payloadDriver({
    protocol: "dragino-lht65n",
    decode: decodeLht65n,
    fields: { TempC_SHT: { field: "temperature" }, Hum_SHT: { field: "Humidity" } },
    encode: (value) => ({
      fport: 2,
      payload: new ByteWriter(16)
        .u16be(0xcbc6)
        .u16be(Math.round(value("TempC_SHT") * 100) & 0xffff)
        .u16be(Math.round(value("Hum_SHT") * 10) & 0xffff)
        .u8(1)
        .u16be(0x7fff)
        .u16be(0x7fff)
        .finish(),
    }),
  });
}

/**
 * Reads a Vutility PulseDrop, a counter of the optical or wire pulses of a meter.
 * Source: layout inferred from one payload example of the public collection of ChirpStack device profiles
 * (MIT).
 * Layout, port 3, 11 bytes big-endian: kind 1C, voltage of the capacitor u8 (0 to 5 V), temperature u8 (-40
 * to 80 °C), pulses u32, four bytes whose meaning the example does not show. Errors: ProtocolError
 * "unsupported" for another kind, "unexpected" for missing bytes.
 */
export function decodePulseDrop(
  payload: Uint8Array,
  _fport: number,
  trace?: ByteReader["spans"],
): DecodedValue[] {
  const reader = new ByteReader(payload, { trace });
  if (reader.u8("kind") !== 0x1c) throw new ProtocolError("unsupported", "not a pulse report", { offset: 0 });
  const voltage = (reader.u8({ code: "capacitor_voltage", unit: "5/255 V" }) / 255) * 5;
  const temperature = (reader.u8({ code: "temperature", unit: "120/255 °C above -40" }) / 255) * 120 - 40;
  const pulses = reader.u32be("pulses");
  reader.take(4, "not_known");
  return [
    decoded("pulseCount", pulses),
    decoded("capacitorVoltage", voltage, "V"),
    decoded("temperatureCelsius", temperature, "°C"),
  ];
}

/** Driver of the PulseDrop. Layout, source and errors: `decodePulseDrop`. */
export function vutilityPulseDrop(): UplinkDriver {
  return payloadDriver({
    protocol: "vutility-pulsedrop",
    decode: decodePulseDrop,
    fields: { pulseCount: { field: "in1", pulses: "main" }, temperatureCelsius: { field: "temperature" } },
    encode: (value) => ({
      fport: 3,
      payload: new ByteWriter(16)
        .u8(0x1c)
        .u8(0xc5)
        .u8(Math.round(((value("temperatureCelsius") + 40) / 120) * 255) & 0xff)
        .u32be(value("pulseCount"))
        .u32be(0)
        .finish(),
    }),
  });
}
