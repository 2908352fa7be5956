import { fieldOf, type FieldName, type ResourceKey, type UnitKey } from "@metrum/vocabulary";
import { unitRatio, type ScalerUnit } from "../objects/units.ts";
import type { DlmsData } from "../types.ts";

/** Scaler and unit in which a simulated register stores a unit of the vocabulary. */
const kept: Readonly<Partial<Record<UnitKey, ScalerUnit>>> = {
  kWh: { scaler: 0, unit: 30 },
  kvarh: { scaler: 0, unit: 32 },
  kW: { scaler: 0, unit: 27 },
  kvar: { scaler: 0, unit: 29 },
  kVA: { scaler: 0, unit: 28 },
  Gcal: { scaler: 6, unit: 25 },
  GcalPerHour: { scaler: 0, unit: 27 },
  V: { scaler: -1, unit: 35 },
  A: { scaler: -3, unit: 33 },
  Hz: { scaler: -2, unit: 44 },
  degree: { scaler: -1, unit: 8 },
  celsius: { scaler: -1, unit: 9 },
  m3: { scaler: -3, unit: 13 },
  m3PerHour: { scaler: -3, unit: 15 },
  hour: { scaler: 0, unit: 5 },
  second: { scaler: 0, unit: 7 },
  percent: { scaler: 0, unit: 56 },
};

export const scaleOf = (field: FieldName, resource: ResourceKey, own?: ScalerUnit): ScalerUnit =>
  own ?? kept[fieldOf(field, resource).unit] ?? { scaler: -3, unit: 255 };

/** A value as stored in the register: a whole number of steps, in the smallest common type. */
export function rawOf(
  value: number,
  of: { field: FieldName; resource: ResourceKey; scale: ScalerUnit; periodSec?: number },
): DlmsData {
  const ratio = unitRatio(of.scale, fieldOf(of.field, of.resource).unit, of.periodSec) ?? 1;
  const raw = Math.round(Number((value / ratio).toPrecision(12)));
  if (!Number.isFinite(raw)) return { type: "null" };
  if (raw >= 0 && raw <= 0xffff_ffff) return { type: "uint32", value: raw };
  return raw < 0 && raw >= -0x8000_0000
    ? { type: "int32", value: raw }
    : { type: "int64", value: BigInt(raw) };
}
