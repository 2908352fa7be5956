import { fields, isFieldName, type FieldName } from "@metrum/vocabulary";
import type { Term, VirtualFields } from "./virtual.ts";

/** The virtual fields in the properties of a device; what is no definition is left out. */
export function virtualFieldsOf(properties: Readonly<Record<string, unknown>>): VirtualFields {
  const found = new Map<FieldName, readonly Term[]>();
  for (const [name, term] of entriesOf(properties["virtual_fields_map"])) put(found, name, [term]);
  for (const [name, terms] of entriesOf(properties["virtual_fields_map_multiple"]))
    if (Array.isArray(terms)) put(found, name, terms);
  return found;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

function put(found: Map<FieldName, readonly Term[]>, name: string, given: readonly unknown[]): void {
  const terms = given.flatMap((each) => termOf(each) ?? []);
  if (isFieldName(name) && terms.length === given.length && terms.length > 0) found.set(name, terms);
}

function termOf(value: unknown): Term | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { device_id, field, coefficient } = value as Readonly<Record<string, unknown>>;
  if (typeof device_id !== "number" || typeof coefficient !== "number") return undefined;
  return typeof field === "string" && isFieldName(field)
    ? { deviceId: device_id, field, coefficient }
    : undefined;
}

/** Fields of one kind and unit are summed. */
export function isSummable(name: FieldName, field: FieldName): boolean {
  const [sum, term] = [fields[name], fields[field]];
  return sum.kind === term.kind && sum.unit === term.unit;
}
