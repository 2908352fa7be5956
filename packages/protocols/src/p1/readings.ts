import {
  fields,
  withoutNoise,
  type FieldName,
  type MessageTypeId,
  type ResourceKey,
} from "@metrum/vocabulary";
import { ProtocolError } from "../core/errors.ts";
import type { Reading } from "../core/reading.ts";
import { numberOf, parseObis, type DataSet } from "../iec62056-21/dataLine.ts";
import { parseStamp, toEpoch } from "../iec62056-21/stamps.ts";
import { ratioTo } from "../iec62056-21/units.ts";
import { channelsOf, type P1Channel } from "./channels.ts";

/** A field and its lines: the first counts positive, the second (the other direction) negative. */
export interface P1Row {
  readonly field: FieldName;
  readonly plus: string;
  readonly minus?: string;
}

const perTariff = (prefix: string, group: number): P1Row[] =>
  [1, 2, 3, 4].map((tariff) => ({ field: fieldNamed(`${prefix}${tariff}`), plus: `${group}.8.${tariff}` }));

function fieldNamed(name: string): FieldName {
  const found = Object.keys(fields).find((each): each is FieldName => each === name);
  if (found === undefined) throw new RangeError(`${name} is no field`);
  return found;
}

const perPhase = (prefix: string, first: number, minus?: number): P1Row[] =>
  [0, 1, 2].map((phase) => ({
    field: fieldNamed(`${prefix}${phase + 1}`),
    plus: `${first + phase * 20}.7.0`,
    ...(minus === undefined ? {} : { minus: `${minus + phase * 20}.7.0` }),
  }));

/**
 * Lines of medium 1 that become fields. Source: DSMR P1 companion standard 5.0.2, 6.12, and the Swedish and
 * Luxembourg additions (3.x, 4.x).
 */
export const p1Rows: readonly P1Row[] = [
  { field: "tariff0", plus: "1.8.0" },
  ...perTariff("tariff", 1),
  { field: "tariff_negative0", plus: "2.8.0" },
  ...perTariff("tariff_negative", 2),
  { field: "tariff_reactive0", plus: "3.8.0" },
  ...perTariff("tariff_reactive", 3),
  { field: "tariff_reactive_negative0", plus: "4.8.0" },
  ...perTariff("tariff_reactive_negative", 4),
  { field: "power_active", plus: "1.7.0", minus: "2.7.0" },
  { field: "power_reactive", plus: "3.7.0", minus: "4.7.0" },
  { field: "power_apparent", plus: "9.7.0" },
  ...perPhase("power_active", 21, 22),
  ...perPhase("power_reactive", 23, 24),
  ...perPhase("voltage", 32),
  ...perPhase("current", 31),
  { field: "cos0", plus: "13.7.0" },
  ...perPhase("cos", 33),
  { field: "Frequency", plus: "14.7.0" },
];

/** Time of the telegram: 0-0:1.0.0, epoch seconds UTC; undefined if absent. */
export function stampOf(lines: readonly DataSet[], utcOffsetMinutes: number): number | undefined {
  const line = lines.find(({ address }) => {
    const { code, medium } = parseObis(address);
    return code === "1.0.0" && (medium ?? 0) === 0;
  });
  const stamp = parseStamp(line?.values[0]?.value ?? "");
  return stamp && toEpoch(stamp, utcOffsetMinutes);
}

/**
 * Readings of the electricity meter that sent the telegram: counters (message type 1) and states (2), stamped
 * by the meter.
 * Source: see `p1Rows`. Units: the vocabulary's; power is import minus export. A meter that gives tariffs
 * only (the Netherlands) has their sum as total. Lines whose unit does not fit are left out; a value in empty
 * brackets is null. Errors: none.
 */
export function electricityReadings(lines: readonly DataSet[], utcOffsetMinutes: number): Reading[] {
  const byCode = new Map<string, DataSet>();
  for (const line of lines) {
    const { code, medium, billing } = parseObis(line.address);
    if ((medium ?? 1) === 1 && billing === undefined && !byCode.has(code)) byCode.set(code, line);
  }
  const values: Partial<Record<FieldName, number | null>> = {};
  for (const row of p1Rows) {
    const value = rowValue(byCode, row);
    if (value !== undefined) values[row.field] = value;
  }
  for (const prefix of ["tariff", "tariff_negative", "tariff_reactive", "tariff_reactive_negative"])
    addTotal(values, prefix);
  return split(values, stampOf(lines, utcOffsetMinutes));
}

/** Value of a row; undefined when the telegram has neither of its lines. */
function rowValue(byCode: ReadonlyMap<string, DataSet>, row: P1Row): number | null | undefined {
  const plus = lineValue(byCode.get(row.plus), row.field);
  const minus = row.minus === undefined ? undefined : lineValue(byCode.get(row.minus), row.field);
  if (plus === undefined && minus === undefined) return undefined;
  if (plus === null || minus === null) return null;
  return withoutNoise((plus ?? 0) - (minus ?? 0));
}

function lineValue(line: DataSet | undefined, field: FieldName): number | null | undefined {
  const last = line?.values.at(-1);
  if (last === undefined) return undefined;
  const ratio = ratioTo(last.unit, field, "electricity");
  if (ratio === undefined) return undefined;
  const number = numberOf(last.value);
  return number === null ? null : withoutNoise(number * ratio);
}

function addTotal(values: Partial<Record<FieldName, number | null>>, prefix: string): void {
  const total = fieldNamed(`${prefix}0`);
  const parts = [1, 2, 3, 4].map((tariff) => values[fieldNamed(`${prefix}${tariff}`)]);
  const known = parts.filter((part) => part !== undefined);
  if (values[total] !== undefined || known.length === 0) return;
  const sum = known.reduce<number | null>(
    (all, part) => (all === null || part === null ? null : all + part),
    0,
  );
  values[total] = sum === null ? null : withoutNoise(sum);
}

function split(values: Partial<Record<FieldName, number | null>>, at: number | undefined): Reading[] {
  const found: Reading[] = [];
  for (const [msgType, isCounter] of [
    [1, true],
    [2, false],
  ] as const satisfies readonly (readonly [MessageTypeId, boolean])[]) {
    const own = Object.fromEntries(
      Object.entries(values).filter(([name]) => (fields[fieldNamed(name)].kind === "counter") === isCounter),
    );
    if (Object.keys(own).length > 0)
      found.push({ msgType, at: at ?? null, ...(at === undefined ? {} : { meterAt: at }), values: own });
  }
  return found;
}

/** M-Bus device types by the resource they measure. */
const typesOf: Readonly<Partial<Record<ResourceKey, readonly number[]>>> = {
  gas: [3],
  heat: [4, 10, 11, 12, 13],
  water: [6, 7],
  electricity: [2],
};

/** The field of a meter on an M-Bus channel; the unit of heat is that of the vocabulary (Gcal). */
const channelField = (resource: ResourceKey): FieldName =>
  resource === "heat" ? "tariff1" : resource === "electricity" ? "tariff0" : "in1";

/**
 * Reading of the first meter of a resource on the M-Bus channels, at the time it was read itself.
 * Errors: ProtocolError "unexpected" when the telegram has no such meter; one that was not read yet gives no
 * reading.
 */
export function channelReadings(
  lines: readonly DataSet[],
  of: { resource: ResourceKey; utcOffsetMinutes: number },
): Reading[] {
  const own = channelsOf(lines, of.utcOffsetMinutes).filter(({ type }) =>
    typesOf[of.resource]?.includes(type ?? -1),
  );
  if (own.length === 0) throw new ProtocolError("unexpected", `no ${of.resource} meter in the telegram`);
  const isRead = ({ value, at }: P1Channel) => value !== null && at !== null;
  const meter = own.find(isRead);
  if (!meter || meter.value === null || meter.at === null) return [];
  const field = channelField(of.resource);
  const ratio = ratioTo(meter.unit, field, of.resource);
  if (ratio === undefined)
    throw new ProtocolError("unexpected", `unit ${meter.unit} does not fit ${of.resource}`);
  return [
    { msgType: 1, at: meter.at, meterAt: meter.at, values: { [field]: withoutNoise(meter.value * ratio) } },
  ];
}
