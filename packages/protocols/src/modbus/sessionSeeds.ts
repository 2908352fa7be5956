import type { Conversation } from "../core/conversation.ts";
import type { FuzzTarget } from "../core/fuzz/fuzz.ts";
import { sessionTarget } from "../core/fuzz/fuzzSession.ts";
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
    outputs: { power: { coil: 1 }, limit: { address: 400, type: "f32" } },
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

type Dialogue = (driver: ReturnType<typeof driverOf>) => Conversation<unknown>;

const dialogues: Readonly<Record<string, Dialogue>> = {
  "": (driver) => driver.poll({ kind: "now" }, device),
  "-power": (driver) => driver.commands.power?.(device, { power: 0 }) ?? driver.poll({ kind: "now" }, device),
  "-limit": (driver) => driver.commands.limit?.(device, { limit: 5 }) ?? driver.poll({ kind: "now" }, device),
};

const target = (variant: ModbusVariant, name: string, dialogue: Dialogue): FuzzTarget => {
  const driver = driverOf(variant);
  return sessionTarget({
    name: `poll-modbus-${variant}${name}`,
    poll: () => dialogue(driver),
    meter: () =>
      driver.respond(
        device,
        (field) => field.length,
        () => 0,
      ),
    seal: variant === "rtu" ? sealed : (frame) => frame,
  });
};

/** Polls of a register map, and commands, over both transports with mutated answers. */
export const modbusSessionFuzz: readonly FuzzTarget[] = (["rtu", "tcp"] as const).flatMap((variant) =>
  Object.entries(dialogues).map(([name, dialogue]) => target(variant, name, dialogue)),
);
