import type { ValidationKind } from "@metrum/contract/accounting";
import { history, type PlannedDevice } from "@metrum/simulator";
import { fieldOf, type FieldName, type MessageTypeId } from "@metrum/vocabulary";
import { registerOfModel } from "#accounting/accounting-points";
import { dayOf, offsetSec, startOfDay } from "#core";
import type { Incoming } from "#metering/messages";
import { meterOf } from "./catalogue.ts";

const hourSec = 3600;
const daySec = 86_400;
const readingsType: MessageTypeId = 1;
const instants: MessageTypeId = 2;
const profileType: MessageTypeId = 5;
const hourly: MessageTypeId = 100;

type Values = Incoming["values"];

/** What is wrong in a part of the history of a meter. */
type Fault =
  /** Consumption, multiplied; of some counters, else of all. */
  | { readonly is: "times"; readonly by: number; readonly fields?: readonly FieldName[] }
  /** Consumption in addition, in units of the counters per hour. */
  | { readonly is: "more"; readonly perHour: number }
  | { readonly is: "missing" }
  /** Readings by this factor, or lower by this amount. */
  | { readonly is: "scale"; readonly by: number }
  | { readonly is: "fall"; readonly by: number }
  /** The hourly archive tells this much more than the reading of the same instant. */
  | { readonly is: "contradiction"; readonly by: number }
  | { readonly is: "clock"; readonly seconds: number }
  | { readonly is: "estimated" }
  /** States, or the power of the profile, multiplied. */
  | { readonly is: "states"; readonly by: number; readonly fields: readonly FieldName[] }
  | { readonly is: "profile"; readonly by: number }
  /** The contract power of the point is this share of the usual one. */
  | { readonly is: "contract"; readonly by: number }
  /** No consumer and no supplier are tied to the point. */
  | { readonly is: "vacant" }
  /** The meter names another serial number than the registered one. */
  | { readonly is: "serial"; readonly named: string };

interface Planted {
  readonly rule: ValidationKind;
  readonly deviceID: string;
  /** Days before today and hour of the day at which it begins, and for how many hours. */
  readonly from: readonly [days: number, hour: number];
  readonly hours: number;
  readonly fault: Fault;
}

/** The meter behind current transformers, of which its readings know nothing for some days. */
export const behindTransformers = { deviceID: "41200076", ratio: 20 } as const;

const exported: readonly FieldName[] = ["tariff_negative0", "tariff_negative1", "tariff_negative2"];

/**
 * A case of each validation rule in the last four weeks, at meters that no balance has. None is newer than two days,
 * so that live readings have no part in it.
 */
export const planted: readonly Planted[] = [
  { rule: "spike", deviceID: "41200045", from: [5, 19], hours: 1, fault: { is: "times", by: 9 } },
  { rule: "gap", deviceID: "41200058", from: [4, 8], hours: 14, fault: { is: "missing" } },
  { rule: "high", deviceID: "20410012", from: [8, 0], hours: 48, fault: { is: "more", perHour: 2 } },
  { rule: "low", deviceID: "41200032", from: [6, 0], hours: 48, fault: { is: "times", by: 0.08 } },
  { rule: "negative", deviceID: "20410021", from: [20, 5], hours: 1, fault: { is: "fall", by: 3 } },
  { rule: "frozen", deviceID: "41200064", from: [16, 0], hours: 100, fault: { is: "times", by: 0 } },
  {
    ...{ rule: "reverse_flow", deviceID: "41200042", from: [7, 0], hours: 24 },
    fault: { is: "times", by: 400, fields: exported },
  },
  {
    ...{ rule: "sum_of_tariffs", deviceID: "43010001", from: [9, 0], hours: 24 },
    fault: { is: "times", by: 0, fields: ["tariff2"] },
  },
  {
    rule: "duplicate",
    deviceID: "41200071",
    from: [3, 11],
    hours: 1,
    fault: { is: "contradiction", by: 0.2 },
  },
  {
    rule: "unit",
    deviceID: "3b3b00000018a02d",
    from: [18, 6],
    hours: 9,
    fault: { is: "scale", by: 1 / 1000 },
  },
  {
    ...{ rule: "ratio", deviceID: behindTransformers.deviceID, from: [13, 0], hours: 72 },
    fault: { is: "times", by: 1 / behindTransformers.ratio },
  },
  { rule: "sibling", deviceID: "41200034", from: [12, 0], hours: 72, fault: { is: "times", by: 0.215 } },
  { rule: "clock", deviceID: "41200067", from: [6, 0], hours: 48, fault: { is: "clock", seconds: 190 } },
  {
    rule: "prolonged_estimation",
    deviceID: "20410029",
    from: [27, 0],
    hours: 288,
    fault: { is: "estimated" },
  },
  {
    ...{ rule: "voltage", deviceID: "41200061", from: [5, 0], hours: 24 },
    fault: { is: "states", by: 0.85, fields: ["voltage1"] },
  },
  { rule: "interval_sum", deviceID: "41200062", from: [10, 0], hours: 72, fault: { is: "profile", by: 1.2 } },
  {
    rule: "contract_power",
    deviceID: "41200065",
    from: [9, 17],
    hours: 6,
    fault: { is: "contract", by: 0.02 },
  },
  {
    ...{ rule: "foreign_serial", deviceID: "41200066", from: [6, 0], hours: 96 },
    fault: { is: "serial", named: "38815523" },
  },
  { rule: "no_consumer", deviceID: "41200079", from: [31, 0], hours: 744, fault: { is: "vacant" } },
];

/** Whether the point of a meter has neither a consumer nor a supplier. */
export const isVacant = ({ deviceID }: PlannedDevice): boolean =>
  planted.some((each) => each.deviceID === deviceID && each.fault.is === "vacant");

/** The foreign number that a meter has named, with the first and the last time; undefined: none. */
export function foreignSerialOf(
  { deviceID }: PlannedDevice,
  moment: Moment,
): { readonly serial: string; readonly at: readonly [first: number, last: number] } | undefined {
  const own = planted.find((each) => each.deviceID === deviceID && each.fault.is === "serial");
  if (own?.fault.is !== "serial") return undefined;
  const { start, end } = spanOf(own, moment);
  return { serial: own.fault.named, at: [start, end] };
}

/** The contract power of a point over time, by the usual one: lower where that is planted. */
export function contractSteps(
  { deviceID }: PlannedDevice,
  usual: number,
  of: { readonly from: number } & Moment,
): readonly { readonly from: number; readonly to: number | null; readonly number: number }[] {
  const own = planted.find((each) => each.deviceID === deviceID && each.fault.is === "contract");
  if (own?.fault.is !== "contract") return [{ from: of.from, to: null, number: usual }];
  const { start, end } = spanOf(own, of);
  return [
    { from: of.from, to: start, number: usual },
    { from: start, to: end, number: Math.round(usual * own.fault.by * 100) / 100 },
    { from: end, to: null, number: usual },
  ];
}

interface Moment {
  readonly now: number;
  readonly zone: string;
}

/** When something is planted. */
function spanOf({ from: [days, hour], hours }: Planted, { now, zone }: Moment): Span {
  const start = startOfDay(zone, dayOf(zone, now) - days) + hour * hourSec;
  return { start, end: start + hours * hourSec };
}

/** Applies what is planted at a meter to its history. */
export interface Planting {
  /** Counters of the meter at an instant. Values before a change differ, so that live values continue the history. */
  readonly counted: (at: number, values: Values) => Values;
  /** The reading as it was received; undefined: not at all. */
  readonly received: (reading: Incoming) => Incoming | undefined;
}

/** What is planted at a meter; undefined: nothing. */
export function plantedAt(device: PlannedDevice, { now, zone }: Moment): Planting | undefined {
  const own = planted.find(({ deviceID }) => deviceID === device.deviceID);
  if (!own) return undefined;
  const span = spanOf(own, { now, zone });
  const main = registerOfModel(device.modelId);
  return {
    counted: countedBy(device, own.fault, span, offsetSec(zone, now)),
    received: (reading) =>
      reading.ts >= span.start && reading.ts < span.end ? receivedBy(own.fault, reading, main) : reading,
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function countedBy(
  device: PlannedDevice,
  fault: Fault,
  span: Span,
  utcOffsetSec: number,
): Planting["counted"] {
  if (fault.is !== "times" && fault.is !== "more") return (_, values) => values;
  const { resource } = meterOf(device.modelId);
  const isChanged = (field: FieldName): boolean =>
    fault.is === "times" && fault.fields
      ? fault.fields.includes(field)
      : fieldOf(field, resource).kind === "counter" && field !== "working_time";
  // As the meter has shown them: what is added to a rounded value is the same for all of them.
  const [first, last] = [span.start, span.end].map((at) => shownFrom(device, at, utcOffsetSec));
  /** How much less a counter has shown that stands at a value before the end of the span. */
  const less = (field: FieldName, value: number, at: number): number =>
    fault.is === "more"
      ? (fault.perHour * (span.end - at)) / hourSec
      : (fault.by - 1) * ((last?.[field] ?? value) - value);
  return (at, values) => {
    if (at >= span.end) return values;
    return Object.fromEntries(
      (Object.entries(values) as [FieldName, number | null][]).map(([field, value]) => {
        if (value === null || !isChanged(field)) return [field, value];
        const level = at <= span.start ? (first?.[field] ?? value) : value;
        const told = rounded(value - less(field, level, Math.max(at, span.start)));
        // Rounded up, it would exceed the first value after the span.
        return [field, Math.min(told, last?.[field] ?? told)];
      }),
    );
  };
}

/** Counters of a meter as it shows them at an instant, or once it can be reached after it. */
function shownFrom(device: PlannedDevice, at: number, utcOffsetSec: number): Values | undefined {
  const options = { from: at, to: at + daySec, stepSec: 60, utcOffsetSec, msgTypes: [readingsType] };
  const [shown] = history(device, options);
  return shown?.values;
}

const rounded = (value: number): number => Number(value.toFixed(4));

const readings = [readingsType, hourly, 101];

/** A reading with some of its values multiplied. */
function multiplied(reading: Incoming, by: number, fields: readonly FieldName[]): Incoming {
  const changed = fields.flatMap((field) => {
    const value = reading.values[field];
    return typeof value === "number" ? [[field, rounded(value * by)] as const] : [];
  });
  return { ...reading, values: { ...reading.values, ...Object.fromEntries(changed) } };
}

/** States and the profile, beside the readings of counters. */
function receivedBeside(fault: Fault, reading: Incoming): Incoming {
  if (fault.is === "states" && reading.msgType === instants)
    return multiplied(reading, fault.by, fault.fields);
  if (fault.is === "profile" && reading.msgType === profileType)
    return multiplied(reading, fault.by, ["power_a_plus"]);
  return reading;
}

function receivedBy(fault: Fault, reading: Incoming, main: FieldName): Incoming | undefined {
  if (fault.is === "missing") return undefined;
  if (!(readings as readonly number[]).includes(reading.msgType)) return receivedBeside(fault, reading);
  const value = reading.values[main] ?? null;
  const told = (other: number, more: Partial<Incoming> = {}): Incoming => ({
    ...{ ...reading, ...more },
    values: { ...reading.values, [main]: value === null ? null : rounded(other) },
  });
  switch (fault.is) {
    case "scale":
      return told((value ?? 0) * fault.by, { status: "suspect" });
    case "fall":
      return told((value ?? 0) - fault.by, { status: "suspect" });
    case "contradiction":
      return reading.msgType === hourly ? told((value ?? 0) + fault.by) : reading;
    case "clock":
      return { ...reading, meterAt: reading.ts + fault.seconds };
    case "estimated":
      return { ...reading, status: "estimated" };
    default:
      return reading;
  }
}
