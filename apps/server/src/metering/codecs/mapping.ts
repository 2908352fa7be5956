import type { CodecField } from "@metrum/contract/metering";
import { finite, fromPulses, secondsOf, type PulseScale, type Reading } from "@metrum/protocols/core";
import {
  factorOf,
  fieldOf,
  isFieldName,
  pulses,
  withoutNoise,
  type FieldName,
  type ResourceKey,
} from "@metrum/vocabulary";

/** Settings by which decoded values become readings. */
export interface Mapping {
  readonly fieldMap: Readonly<Record<string, CodecField>>;
  readonly resource: ResourceKey;
  /** Fields of the model, measured in the units of the vocabulary. */
  readonly fields: readonly FieldName[];
  /** Field to which the starting value of a pulse counter applies. */
  readonly main: FieldName | undefined;
  readonly scale: PulseScale;
}

export interface Mapped {
  readonly readings: readonly Reading[];
  readonly warnings: readonly string[];
}

/** Limits of one answer: readings, names, warnings. */
const most = { readings: 500, names: 500, warnings: 20, depth: 4 } as const;

/**
 * Turns the output of a codec into readings (message type 1). `data` is an object, or a list of objects for
 * several times. A decoded name is a field by the map of the codec, else by its own name; nested objects are
 * addressed with dots ("port1.value"). A name alone has no unit: it denotes a field only if the model
 * measures that field, or the field has no unit. `time` (seconds, milliseconds or ISO text, UTC if it names no
 * zone) is the time of the values; without it, or with a warning if it is none, they get the time of the uplink. Numbers are returned in the unit of the vocabulary;
 * true and false are 1 and 0, null means "not measured". Names without a field, numbers of unknown unit and
 * values that are not numbers are omitted, each with a warning; the stored payload keeps them. Errors:
 * ProtocolError "unexpected" that names a value too large in the unit of its field.
 */
export function mapAnswer(data: unknown, mapping: Mapping): Mapped {
  const warnings = new Set<string>();
  const rows = Array.isArray(data) ? data.slice(0, most.readings) : [data];
  const readings = rows.flatMap((row: unknown) => {
    const reading = readingOf(flatten(row), mapping, warnings);
    return Object.keys(reading.values).length > 0 ? [reading] : [];
  });
  return { readings, warnings: [...warnings].slice(0, most.warnings) };
}

type Named = readonly [name: string, value: unknown];

function flatten(value: unknown, prefix = "", depth = 0): Named[] {
  if (typeof value !== "object" || value === null || depth > most.depth)
    return prefix ? [[prefix, value]] : [];
  return Object.entries(value)
    .slice(0, most.names)
    .flatMap(([name, inner]: Named) => flatten(inner, prefix ? `${prefix}.${name}` : name, depth + 1))
    .slice(0, most.names);
}

function readingOf(named: readonly Named[], mapping: Mapping, warnings: Set<string>): Reading {
  const values: Partial<Record<FieldName, number | null>> = {};
  let at: number | null = null;
  for (const [name, value] of named) {
    const target = targetOf(name, mapping);
    if (target === undefined) warnings.add(`${name}: no field of this name`);
    else if (target === "unknown unit")
      warnings.add(`${name}: its unit is not known, the map of the codec must say it`);
    else if (target.name === "time") {
      const time = timeOf(value);
      if (time === undefined && value !== null) warnings.add(`${name}: not a time`);
      at = time ?? at;
    } else if (isFieldName(target.name)) {
      const number = numberOf(value);
      if (number === undefined) warnings.add(`${name}: not a number`);
      else values[target.name] = number === null ? null : finite(inUnit(number, target, mapping), name);
    }
  }
  return { msgType: 1, at, values };
}

function targetOf(
  name: string,
  { fieldMap, fields, resource }: Mapping,
): CodecField | "unknown unit" | undefined {
  if (Object.hasOwn(fieldMap, name)) return fieldMap[name];
  if (name === "time") return { name, unit: "" };
  if (!isFieldName(name)) return undefined;
  const isKnown = fields.includes(name) || fieldOf(name, resource).unit === "none";
  return isKnown ? { name, unit: "" } : "unknown unit";
}

function numberOf(value: unknown): number | null | undefined {
  if (value === null) return null;
  if (typeof value === "boolean") return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Rounded to the significant digits of a double after a conversion. */
function inUnit(value: number, { name, unit }: CodecField, { resource, scale, main }: Mapping): number {
  if (!isFieldName(name)) return value;
  if (unit === pulses) return fromPulses(value, name === main ? scale : { ...scale, startingValue: 0 });
  const factor = factorOf(unit, fieldOf(name, resource).unit) ?? 1;
  return factor === 1 ? value : withoutNoise(value * factor);
}

/** Epoch seconds; a number beyond the year 5000 in seconds must be milliseconds. */
function timeOf(value: unknown): number | undefined {
  const given = typeof value === "string" ? (secondsOf(value) ?? secondsOf(`${value}Z`)) : value;
  if (typeof given !== "number" || !Number.isFinite(given)) return undefined;
  return Math.floor(Math.abs(given) > 1e11 ? given / 1000 : given);
}
