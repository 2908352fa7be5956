import type { RegisterRow } from "@metrum/protocols/modbus";
import type { FieldName } from "@metrum/vocabulary";

/** A value of an Eastron meter: input register, float32, high word first. */
const float = (
  address: number,
  field: FieldName,
  more: { msgType?: 1 | 2; scale?: number } = {},
): RegisterRow => ({ address, table: "input", type: "f32", field, msgType: 2, ...more });

const counter = { msgType: 1 } as const;
const kilo = { scale: 0.001 } as const;

/**
 * Registers that SDM120 and SDM630 share: frequency and the counters.
 * Source: Eastron SDM630-Modbus and SDM120-Modbus protocol documents. Layout: one float32 in two input
 * registers.
 * Units on the wire: Hz, kWh, kvarh.
 */
const shared = [
  float(0x46, "Frequency"),
  float(0x48, "tariff0", counter),
  float(0x4a, "tariff_negative0", counter),
  float(0x4c, "tariff_reactive0", counter),
  float(0x4e, "tariff_reactive_negative0", counter),
];

/** Map of the SDM630; powers on the wire are W, VA and var. Source and layout as `shared`. */
export const sdm630: readonly RegisterRow[] = [
  float(0x00, "voltage1"),
  float(0x02, "voltage2"),
  float(0x04, "voltage3"),
  float(0x06, "current1"),
  float(0x08, "current2"),
  float(0x0a, "current3"),
  float(0x0c, "power_active1", kilo),
  float(0x0e, "power_active2", kilo),
  float(0x10, "power_active3", kilo),
  float(0x12, "power_apparent1", kilo),
  float(0x14, "power_apparent2", kilo),
  float(0x16, "power_apparent3", kilo),
  float(0x18, "power_reactive1", kilo),
  float(0x1a, "power_reactive2", kilo),
  float(0x1c, "power_reactive3", kilo),
  float(0x1e, "cos1"),
  float(0x20, "cos2"),
  float(0x22, "cos3"),
  float(0x34, "power_active", kilo),
  float(0x38, "power_apparent", kilo),
  float(0x3c, "power_reactive", kilo),
  float(0x3e, "cos0"),
  ...shared,
];

/**
 * Map of the SDM72D-M v2 and the SDM54: the SDM630's without reactive counters by direction. Source and
 * layout as `shared`.
 */
export const sdm72: readonly RegisterRow[] = sdm630.filter(
  ({ field }) => !field.startsWith("tariff_reactive"),
);

/**
 * Map of the SDM120, which has values only where the first phase of the SDM630 has them. Source and layout as
 * `shared`.
 */
export const sdm120: readonly RegisterRow[] = [
  float(0x00, "voltage1"),
  float(0x06, "current1"),
  float(0x0c, "power_active", kilo),
  float(0x12, "power_apparent", kilo),
  float(0x18, "power_reactive", kilo),
  float(0x1e, "cos0"),
  ...shared,
];
