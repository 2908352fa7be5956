import type { RegisterRow, RegisterType } from "@metrum/protocols/modbus";
import type { FieldName } from "@metrum/vocabulary";

/** Largest value of a type: sent by the meter for a value that it does not have. */
const noValue = {
  u16: [0xffff],
  i16: [0x7fff],
  u32: [0xffffffff],
  i32: [0x7fffffff],
  u64: [2 ** 64],
} satisfies Partial<Record<RegisterType, number[]>>;

const row = (address: number, type: keyof typeof noValue, field: FieldName, scale: number): RegisterRow => ({
  address,
  table: "holding",
  type,
  scale,
  field,
  msgType: type === "u64" ? 1 : 2,
  noValue: noValue[type],
});

/**
 * Layout: big-endian integers of 1, 2 and 4 registers. Units on the wire: 0.01 kWh (kvarh), 0.1 V, 0.01 A,
 * 0.01 W (var, VA), 0.01 Hz, 0.001 of the power factor.
 */
export const rows: readonly RegisterRow[] = [
  row(0x5000, "u64", "tariff0", 0.01),
  row(0x5004, "u64", "tariff_negative0", 0.01),
  row(0x500c, "u64", "tariff_reactive0", 0.01),
  row(0x5010, "u64", "tariff_reactive_negative0", 0.01),
  row(0x5b00, "u32", "voltage1", 0.1),
  row(0x5b02, "u32", "voltage2", 0.1),
  row(0x5b04, "u32", "voltage3", 0.1),
  row(0x5b0c, "u32", "current1", 0.01),
  row(0x5b0e, "u32", "current2", 0.01),
  row(0x5b10, "u32", "current3", 0.01),
  row(0x5b14, "i32", "power_active", 0.000_01),
  row(0x5b16, "i32", "power_active1", 0.000_01),
  row(0x5b18, "i32", "power_active2", 0.000_01),
  row(0x5b1a, "i32", "power_active3", 0.000_01),
  row(0x5b1c, "i32", "power_reactive", 0.000_01),
  row(0x5b24, "i32", "power_apparent", 0.000_01),
  row(0x5b2c, "u16", "Frequency", 0.01),
  row(0x5b3a, "i16", "cos0", 0.001),
  row(0x5b3b, "i16", "cos1", 0.001),
  row(0x5b3c, "i16", "cos2", 0.001),
  row(0x5b3d, "i16", "cos3", 0.001),
];
