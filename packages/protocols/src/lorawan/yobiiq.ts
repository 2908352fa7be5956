import { ByteReader, ByteWriter } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import type { DecodedValue } from "../core/reading.ts";
import { decoded, payloadDriver } from "./payload.ts";

interface Item {
  readonly name: string;
  readonly unit: string;
  readonly bytes: 1 | 2 | 4;
  /** Unit of the register. */
  readonly scale: number;
}

const item = (name: string, unit: string, bytes: Item["bytes"], scale = 1): Item => ({
  name,
  unit,
  bytes,
  scale,
});

/** Registers that the examples show; the meter has more. */
const items: Readonly<Record<number, Item>> = {
  0x00: item("index", "", 4),
  0x01: item("timestamp", "s", 4),
  0x04: item("activeEnergyImportL123T1", "Wh", 4),
  0x05: item("activeEnergyImportL123T2", "Wh", 4),
  0x0c: item("voltageL1N", "V", 4, 0.1),
  0x0d: item("voltageL2N", "V", 4, 0.1),
  0x0e: item("voltageL3N", "V", 4, 0.1),
  0x10: item("currentL1", "mA", 4),
  0x11: item("currentL2", "mA", 4),
  0x12: item("currentL3", "mA", 4),
  0x23: item("frequency", "Hz", 2, 0.01),
  0x14: item("activePowerL1", "W", 4),
  0x15: item("activePowerL2", "W", 4),
  0x16: item("activePowerL3", "W", 4),
  0x24: item("totalSystemActivePower", "kW", 4),
  0x25: item("totalSystemReactivePower", "kvar", 4, 0.001),
};

/**
 * Reads the measurements of a Yobiiq EM4301 three-phase meter.
 * Source: layout inferred from the payload examples of the public collection of ChirpStack device profiles
 * (MIT).
 * Layout, ports 1 to 10: items of channel 01, register u8 and value, big-endian (`items`). The units of the
 * two totals are as the examples give them. Errors: ProtocolError "unsupported" for another port,
 * "unexpected" for an unknown item or missing bytes.
 */
export function decodeEm4301(
  payload: Uint8Array,
  fport: number,
  trace?: ByteReader["spans"],
): DecodedValue[] {
  if (fport < 1 || fport > 10) throw new ProtocolError("unsupported", `port ${fport}`);
  const reader = new ByteReader(payload, { trace });
  const values: DecodedValue[] = [];
  while (!reader.done) {
    if (reader.u8("channel") !== 1) reader.fail("unknown channel");
    const known = items[reader.u8("register_code")];
    if (!known) return reader.fail("unknown register");
    const { name, unit, bytes, scale } = known;
    const called = { code: "verbatim", n: name } as const;
    const raw = bytes === 4 ? reader.u32be(called) : bytes === 2 ? reader.u16be(called) : reader.u8(called);
    values.push(decoded(name, raw * scale, unit));
  }
  return values;
}

/** Driver of the EM4301. Layout, source and errors: `decodeEm4301`. */
export function yobiiqEm4301(): UplinkDriver {
  return payloadDriver({
    protocol: "yobiiq-em4301",
    decode: decodeEm4301,
    fields: {
      activeEnergyImportL123T1: { field: "tariff1", factor: 1e-3 },
      activeEnergyImportL123T2: { field: "tariff2", factor: 1e-3 },
      voltageL1N: { field: "voltage1" },
      voltageL2N: { field: "voltage2" },
      voltageL3N: { field: "voltage3" },
      currentL1: { field: "current1", factor: 1e-3 },
      currentL2: { field: "current2", factor: 1e-3 },
      currentL3: { field: "current3", factor: 1e-3 },
      frequency: { field: "Frequency" },
      activePowerL1: { field: "power_active1", factor: 1e-3 },
      activePowerL2: { field: "power_active2", factor: 1e-3 },
      activePowerL3: { field: "power_active3", factor: 1e-3 },
    },
    encode: (value) => {
      const writer = new ByteWriter(128);
      for (const [register, { name, bytes, scale }] of Object.entries(items)) {
        if (["index", "timestamp"].includes(name) || name.startsWith("totalSystem")) continue;
        writer.u8(1).u8(Number(register));
        const raw = Math.max(0, Math.round(value(name) / scale));
        if (bytes === 4) writer.u32be(raw % 2 ** 32);
        else writer.u16be(raw % 2 ** 16);
      }
      return { fport: 1, payload: writer.finish() };
    },
  });
}
