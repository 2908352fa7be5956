import type { RegisterRow } from "@metrum/protocols/modbus";
import type { FieldName } from "@metrum/vocabulary";

const long = (address: number, field: FieldName, scale: number, msgType: 1 | 2 = 2): RegisterRow => ({
  address,
  table: "input",
  type: "i32",
  order: "CDAB",
  scale,
  field,
  msgType,
  noValue: [0x7fffffff],
});

const short = (address: number, field: FieldName, scale: number): RegisterRow => ({
  address,
  table: "input",
  type: "i16",
  scale,
  field,
  msgType: 2,
  noValue: [0x7fff],
});

/**
 * Layout: int32 with the low word first, int16. Units on the wire: 0.1 V, 0.001 A, 0.1 W (VA, var), 0.001 of
 * the power factor, 0.1 Hz, 0.1 kWh (kvarh); the largest value means overflow.
 */
export const threePhase: readonly RegisterRow[] = [
  long(0x00, "voltage1", 0.1),
  long(0x02, "voltage2", 0.1),
  long(0x04, "voltage3", 0.1),
  long(0x0c, "current1", 0.001),
  long(0x0e, "current2", 0.001),
  long(0x10, "current3", 0.001),
  long(0x12, "power_active1", 0.0001),
  long(0x14, "power_active2", 0.0001),
  long(0x16, "power_active3", 0.0001),
  long(0x28, "power_active", 0.0001),
  long(0x2a, "power_apparent", 0.0001),
  long(0x2c, "power_reactive", 0.0001),
  short(0x2e, "cos1", 0.001),
  short(0x2f, "cos2", 0.001),
  short(0x30, "cos3", 0.001),
  short(0x31, "cos0", 0.001),
  short(0x33, "Frequency", 0.1),
  long(0x34, "tariff0", 0.1, 1),
  long(0x36, "tariff_reactive0", 0.1, 1),
  long(0x4e, "tariff_negative0", 0.1, 1),
  long(0x50, "tariff_reactive_negative0", 0.1, 1),
];

/** Map of the single-phase EM111 and EM112; layout and units as `threePhase`. */
export const singlePhase: readonly RegisterRow[] = [
  long(0x00, "voltage1", 0.1),
  long(0x02, "current1", 0.001),
  long(0x04, "power_active", 0.0001),
  long(0x06, "power_apparent", 0.0001),
  long(0x08, "power_reactive", 0.0001),
  short(0x0e, "cos0", 0.001),
  short(0x0f, "Frequency", 0.1),
  long(0x10, "tariff0", 0.1, 1),
  long(0x12, "tariff_reactive0", 0.1, 1),
  long(0x20, "tariff_negative0", 0.1, 1),
  long(0x22, "tariff_reactive_negative0", 0.1, 1),
];
