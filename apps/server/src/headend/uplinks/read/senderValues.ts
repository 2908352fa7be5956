import { modelById, type MeterModel } from "@metrum/catalogue";
import type { Reading } from "@metrum/protocols/core";
import type { LoraJoin, LoraStatus, LoraDownlink } from "@metrum/protocols/lorawan";
import { fromSenmlUnit } from "@metrum/protocols/senml";
import { fieldOf, isFieldName, type FieldName } from "@metrum/vocabulary";
import type { AskedDevice } from "#headend/exchanges";
import type { Interpretation } from "./interpretation.ts";
import type { Content, Radio } from "../uplink.ts";

type Pushed = Extract<Content, { kind: "readings" }>;
type Values = Partial<Record<FieldName, number | null>>;

function meterOf({ modelId }: AskedDevice): MeterModel | undefined {
  const model = modelById(modelId);
  return model?.kind === "meter" ? model : undefined;
}

/**
 * Values decoded by the sender: those of fields of the model, in their units. Omitted ones are named in the
 * log; when none is left, that is the outcome. Errors: ProtocolError "unexpected" that names a value too
 * large in the field's unit.
 */
export function readSenderValues(
  device: AskedDevice,
  { readings, units = {}, unknown = [] }: Pushed,
): Interpretation {
  const model = meterOf(device);
  const left = new Set(unknown);
  const kept = readings.flatMap((reading): Reading[] => {
    const values: Values = {};
    for (const [name, value] of Object.entries(reading.values)) {
      const ours = isFieldName(name) ? ownValue(model, name, { value, unit: units[name] ?? "" }) : undefined;
      if (ours === undefined || !isFieldName(name)) left.add(name);
      else values[name] = ours;
    }
    return Object.keys(values).length > 0 ? [{ ...reading, values }] : [];
  });
  const message = left.size === 0 ? "" : `not of this model: ${[...left].join(", ")}`.slice(0, 500);
  if (kept.length > 0) return { result: "ok", message, readings: kept };
  const text = message || "no value";
  return {
    result: "unsupported",
    message: text,
    readings: [],
    error: { kind: "unsupported", message: text },
  };
}

function ownValue(
  model: MeterModel | undefined,
  name: FieldName,
  { value, unit }: { readonly value: number | null; readonly unit: string },
): number | null | undefined {
  if (!model?.fields.includes(name)) return undefined;
  if (value === null) return null;
  return fromSenmlUnit(value, unit, { name, unit: fieldOf(name, model.resource).unit });
}

/**
 * Status information of a device from the network. The battery level is a reading if the model has the field.
 */
export function readEvent(device: AskedDevice, event: LoraJoin | LoraStatus | LoraDownlink): Interpretation {
  if (event.event === "downlink") return { ...outcomeOf(event), message: event.reason, readings: [] };
  if (event.event === "join" || event.battery === null || !meterOf(device)?.fields.includes("battery"))
    return { result: "ok", message: "", readings: [] };
  const values = { battery: event.battery };
  return { result: "ok", message: "", readings: [{ msgType: 1, at: null, values }] };
}

function outcomeOf({ outcome }: LoraDownlink): Pick<Interpretation, "result"> {
  if (outcome === "failed") return { result: "refused" };
  return { result: outcome === "not_acknowledged" ? "timeout" : "ok" };
}

/**
 * Adds signal data to the readings of an uplink, if the model has the fields and the device did not report it
 * itself.
 */
export function withRadio(
  device: AskedDevice,
  readings: readonly Reading[],
  radio: Radio | undefined,
): readonly Reading[] {
  if (!radio) return readings;
  const fields = meterOf(device)?.fields ?? [];
  const { best, battery } = radio;
  const measured: Values = {};
  if (best?.rssi !== undefined && fields.includes("rssi")) measured.rssi = best.rssi;
  if (best?.snr !== undefined && fields.includes("snr")) measured.snr = best.snr;
  if (battery !== undefined && fields.includes("battery")) measured.battery = battery;
  if (Object.keys(measured).length === 0) return readings;
  return readings.map((reading) =>
    reading.msgType === 1 ? { ...reading, values: { ...measured, ...reading.values } } : reading,
  );
}
