import type { RegisterRow } from "@metrum/protocols/modbus";
import type { FieldName } from "@metrum/vocabulary";

const float = (address: number, field: FieldName): RegisterRow => ({
  address,
  table: "holding",
  type: "f32",
  field,
  msgType: 2,
});

const energy = (address: number, field: FieldName): RegisterRow => ({
  address,
  table: "holding",
  type: "i64",
  scale: 0.001,
  field,
  msgType: 1,
});

/**
 * Layout: float32 and int64, high word first. The document counts registers from 1, the wire from 0: 3028 is
 * requested as 3027.
 * Units on the wire: V, A, kW, kvar, kVA, Hz, Wh, varh. The power factor has a four-quadrant coding and is
 * left out.
 */
export const rows: readonly RegisterRow[] = [
  float(2999, "current1"),
  float(3001, "current2"),
  float(3003, "current3"),
  float(3027, "voltage1"),
  float(3029, "voltage2"),
  float(3031, "voltage3"),
  float(3053, "power_active1"),
  float(3055, "power_active2"),
  float(3057, "power_active3"),
  float(3059, "power_active"),
  float(3067, "power_reactive"),
  float(3075, "power_apparent"),
  float(3109, "Frequency"),
  energy(3203, "tariff0"),
  energy(3207, "tariff_negative0"),
  energy(3219, "tariff_reactive0"),
  energy(3223, "tariff_reactive_negative0"),
];
