import type { FuzzTarget } from "../core/fuzz.ts";
import { sessionTarget } from "../core/fuzzSession.ts";
import { crc16 } from "./crc.ts";
import { modbus } from "./driver.ts";
import type { ModbusVariant } from "./frame.ts";

const device = { insideAddr: "17", deviceID: "" };

const driverOf = (variant: ModbusVariant) =>
  modbus({
    variant,
    rows: [
      { address: 0, table: "input", type: "f32", field: "voltage1", msgType: 2 },
      { address: 2, table: "input", type: "f64", order: "CDAB", field: "current1", msgType: 2 },
      { address: 200, table: "holding", type: "u64", field: "tariff0", msgType: 1, noValue: [2 ** 32 - 1] },
      { address: 300, table: "holding", type: "i16", field: "power_active", msgType: 2, scale: 0.01 },
    ],
  });

/** A frame of a serial line with a repaired checksum. */
function sealed(frame: Uint8Array): Uint8Array {
  const copy = frame.slice();
  if (copy.length < 3) return copy;
  const crc = crc16(copy.subarray(0, -2));
  copy[copy.length - 2] = crc & 0xff;
  copy[copy.length - 1] = crc >> 8;
  return copy;
}

const target = (variant: ModbusVariant): FuzzTarget => {
  const driver = driverOf(variant);
  return sessionTarget({
    name: `poll-modbus-${variant}`,
    poll: () => driver.poll({ kind: "now" }, device),
    meter: () =>
      driver.respond(
        device,
        (field) => field.length,
        () => 0,
      ),
    seal: variant === "rtu" ? sealed : (frame) => frame,
  });
};

/** Polls of a register map over both transports with mutated answers. */
export const modbusSessionFuzz: readonly FuzzTarget[] = [target("rtu"), target("tcp")];
