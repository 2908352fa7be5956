import type { Reading } from "@metrum/protocols/core";
import type { FieldName, MessageTypeId } from "@metrum/vocabulary";
import { origin } from "./load.ts";
import { createMeter, readingsOf, type Meter } from "./meter.ts";
import type { PlannedDevice } from "./plans/plan.ts";

export interface HistoryOptions {
  /** Epoch seconds UTC, `from` inclusive, `to` exclusive; times are multiples of `stepSec` of UTC. */
  readonly from: number;
  readonly to: number;
  readonly stepSec: number;
  readonly utcOffsetSec?: number;
  /** Requested message types; default: all that a poll of the device returns. */
  readonly msgTypes?: readonly MessageTypeId[];
}

/**
 * Past readings of the device, one per message type and time, with gaps while it was unreachable. Live values
 * of the park continue it without a step, as both use the same function of time and the same rounding.
 */
export function* history(device: PlannedDevice, options: HistoryOptions): Generator<Reading> {
  const meter = createMeter(device, options.utcOffsetSec ?? 0);
  const wanted = shapeOf(meter).filter(({ msgType }) => options.msgTypes?.includes(msgType) ?? true);
  const first = Math.ceil(options.from / options.stepSec) * options.stepSec;
  for (let at = first; at < options.to; at += options.stepSec) {
    if (meter.isSilentAt(at)) continue;
    const state = meter.stateAt(at);
    for (const { msgType, columns } of wanted) {
      const values: Partial<Record<FieldName, number>> = {};
      for (const { name, round } of columns) values[name] = round(state(name));
      yield { msgType, at, values };
    }
  }
}

type Rounding = (value: number) => number;

/** Units in which meters count, with their conversion: themselves, kWh and GJ as Gcal. */
const units = [1, 1 / 1163, 1 / 4.1868];
const clean = (value: number) => Number(value.toPrecision(15));

/** The shortest decimal with the same 32-bit float, as a meter with floats displays it. */
function shortestFloat(value: number): number {
  const float = Math.fround(value);
  const digits = [6, 7, 8].find((count) => Math.fround(Number(float.toPrecision(count))) === float);
  return digits === undefined ? float : Number(float.toPrecision(digits));
}

/**
 * How protocols round, coarsest first: to decimals of a unit, or as a float32 of the value or its
 * thousandfold.
 */
const roundings: readonly Rounding[] = [
  ...[1, 10, 100, 1000, 10_000, 100_000].flatMap((parts) =>
    units.map(
      (unit): Rounding =>
        (value) =>
          clean((Math.round((value / unit) * parts) / parts) * unit),
    ),
  ),
  shortestFloat,
  (value) => clean(shortestFloat(value * 1000) / 1000),
];
const exact: Rounding = (value) => value;

interface Shape {
  readonly msgType: MessageTypeId;
  readonly columns: readonly { readonly name: FieldName; readonly round: Rounding }[];
}

/**
 * Message types, fields and their rounding, learned from a few polls of the meter instead of one for every
 * time.
 */
function shapeOf(meter: Meter): readonly Shape[] {
  const samples = [3, 40, 77, 400].map((days) => {
    const at = origin + days * 86_400 + 1234;
    return { state: meter.stateAt(at), readings: readingsOf(meter, at) };
  });
  return (samples[0]?.readings ?? []).map(({ msgType, values }) => ({
    msgType,
    columns: (Object.keys(values) as FieldName[]).map((name) => ({
      name,
      round:
        roundings.find((round) =>
          samples.every(({ state, readings }) => {
            const shown = readings.find((each) => each.msgType === msgType)?.values[name];
            return shown !== null && shown !== undefined && Math.abs(round(state(name)) - shown) < 1e-6;
          }),
        ) ?? exact,
    })),
  }));
}
