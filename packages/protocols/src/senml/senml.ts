import { isFieldName, type FieldName } from "@metrum/vocabulary";
import { ProtocolError, wrongField } from "../core/errors.ts";
import { elementsOf, fieldsOf, type Fields } from "../core/json.ts";
import type { Reading } from "../core/reading.ts";

/** Data of one device at one time in a pack; units stay as sent, because conversion depends on the field. */
export interface SenmlReading {
  /** Identifier of the device: the name before the field, without `urn:dev:mac:` and the like. */
  readonly device: string;
  readonly reading: Reading;
  /** SenML unit by field; empty: the unit of the field. */
  readonly units: Readonly<Partial<Record<FieldName, string>>>;
  /** Names that are no fields, and values that are no numbers. */
  readonly unknown: readonly string[];
}

/** Times below 2^28 are relative to now (RFC 8428, section 4.5.3). */
const relativeBelow = 2 ** 28;
const newestVersion = 10;
const mostRecords = 5_000;

interface Base {
  name: string;
  time: number;
  unit: string;
  value: number;
}

interface Group {
  readonly device: string;
  readonly at: number | null;
  readonly values: Partial<Record<FieldName, number | null>>;
  readonly units: Partial<Record<FieldName, string>>;
  readonly unknown: string[];
}

/**
 * Reads a SenML pack, once it is JSON. `now`: epoch seconds UTC, for relative times.
 * Source: RFC 8428. Layout: a list of records; base fields (bn, bt, bu, bv) hold from their record on. A
 * resolved name is "{device}/{field}" or "{device}:{field}"; the field is one of the vocabulary. Only numbers
 * (`v`) become values; a record without a value only sets bases. Times come rounded down to seconds; one that
 * is not given is the moment of the push.
 * Errors: ProtocolError "unexpected" for other JSON, a name that RFC 8428 does not allow or that names no
 * device, a record with a name and no value, a pack without any, more than 5,000 records; "unsupported" for a
 * newer version and for a field that must be understood (its label ends in "_").
 */
export function readSenml(pack: unknown, now: number): SenmlReading[] {
  const records = elementsOf(pack, "pack");
  if (records.length > mostRecords) throw wrongField("pack", "few", { most: mostRecords });
  const base: Base = { name: "", time: 0, unit: "", value: 0 };
  const groups = new Map<string, Group>();
  for (const [at, record] of records.entries()) {
    const fields = fieldsOf(record, `[${at}].`);
    checkLabels(fields, at);
    takeBases(fields, base);
    if (hasValue(fields)) add(groups, fields, { base, now, at });
    else checkBases(fields, at);
  }
  if (groups.size === 0) throw wrongField("pack", "readings");
  return [...groups.values()].map(({ device, at, values, units, unknown }) => ({
    device,
    reading: { msgType: 1, at, values },
    units,
    unknown,
  }));
}

const hasValue = (fields: Fields): boolean => ["v", "vs", "vb", "vd", "s"].some((name) => fields.has(name));

/** Only a record that sets bases may be without a value (RFC 8428, section 4.2). */
function checkBases(fields: Fields, at: number): void {
  const isBase = fields.entries().some(([label]) => /^b(?:[nutvs]|ver)$/.test(label));
  if (fields.has("n") || !isBase) throw wrongField(`[${at}].v`, "given");
}

function checkLabels(fields: Fields, at: number): void {
  for (const [label] of fields.entries())
    if (label.endsWith("_"))
      throw new ProtocolError("unsupported", `[${at}].${label} must be understood`, {
        field: { path: `[${at}].${label}`, wanted: "known" },
      });
  if (fields.has("bver") && fields.number("bver") > newestVersion)
    throw new ProtocolError("unsupported", `[${at}].bver is newer than ${newestVersion}`, {
      field: { path: `[${at}].bver`, wanted: "whole", params: { least: 1, most: newestVersion } },
    });
}

function takeBases(fields: Fields, base: Base): void {
  if (fields.has("bn")) base.name = fields.text("bn");
  if (fields.has("bt")) base.time = fields.number("bt");
  if (fields.has("bu")) base.unit = fields.text("bu");
  if (fields.has("bv")) base.value = fields.number("bv");
}

interface Place {
  readonly base: Base;
  readonly now: number;
  readonly at: number;
}

function add(groups: Map<string, Group>, fields: Fields, { base, now, at }: Place): void {
  const name = base.name + fields.text("n");
  const [, device = "", field = ""] = /^([A-Za-z0-9][\w:./-]*)[/:](\w+)$/.exec(name) ?? [];
  const number = device.replace(/^urn:dev:[a-z0-9]+:/i, "");
  if (number === "") throw wrongField(`[${at}].n`, "device_and_field");
  const when = timeOf(base.time + fields.number("t"), { now, at });
  const key = `${when ?? ""} ${number}`;
  let group = groups.get(key);
  if (!group) groups.set(key, (group = { device: number, at: when, values: {}, units: {}, unknown: [] }));
  if (!isFieldName(field) || !fields.has("v")) {
    group.unknown.push(field);
    return;
  }
  group.values[field] = base.value + fields.number("v");
  const unit = fields.has("u") ? fields.text("u") : base.unit;
  if (unit !== "") group.units[field] = unit;
}

/** Year 9999, in epoch seconds. */
const lastSecond = 253_402_300_799;

function timeOf(time: number, { now, at }: Omit<Place, "base">): number | null {
  if (time === 0) return null;
  const second = Math.floor(time < relativeBelow ? now + time : time);
  if (second < 0 || second > lastSecond)
    throw wrongField(`[${at}].t`, "whole", { least: 0, most: lastSecond });
  return second;
}

/**
 * Writes a pack, for the simulator; what `readSenml` reads back. `unitOf` names the SenML unit of a field;
 * empty: none is sent.
 * Source and layout: `readSenml`.
 */
export function buildSenml(
  { device, reading }: Pick<SenmlReading, "device" | "reading">,
  unitOf: (field: string) => string = () => "",
): string {
  const records = Object.entries(reading.values)
    .filter(([, value]) => value !== null)
    .map(([n, v]) => ({ n, v, ...(unitOf(n) === "" ? {} : { u: unitOf(n) }) }));
  const base = { bn: `urn:dev:mac:${device}:`, ...(reading.at === null ? {} : { bt: reading.at }) };
  return JSON.stringify([base, ...records]);
}
