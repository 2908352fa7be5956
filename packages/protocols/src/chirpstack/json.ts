import { ProtocolError } from "../core/errors.ts";

/**
 * Typed looks into JSON that was written by proto3: a missing field means its zero value.
 * Errors of every reader: ProtocolError "unexpected" when the field has another type.
 */
export interface Fields {
  readonly text: (name: string) => string;
  readonly number: (name: string) => number;
  readonly flag: (name: string) => boolean;
  readonly inner: (name: string) => Fields;
  readonly list: (name: string) => readonly Fields[];
}

/** Reads one JSON object; `path` stands in front of names in errors. */
export function fieldsOf(value: unknown, path = ""): Fields {
  if (!isRecord(value)) throw wrongType(path === "" ? "event" : path, "an object");
  const look = <Type>(
    name: string,
    zero: Type,
    is: (found: unknown) => found is Type,
    word: string,
  ): Type => {
    const found = value[name] ?? zero;
    if (!is(found)) throw wrongType(`${path}${name}`, word);
    return found;
  };
  return {
    text: (name) => look(name, "", (found) => typeof found === "string", "a text"),
    number: (name) => number(value[name] ?? 0, `${path}${name}`),
    flag: (name) => look(name, false, (found) => typeof found === "boolean", "true or false"),
    inner: (name) => fieldsOf(value[name] ?? {}, `${path}${name}.`),
    list: (name) =>
      look<readonly unknown[]>(name, [], (found) => Array.isArray(found), "a list").map((each, at) =>
        fieldsOf(each, `${path}${name}[${at}].`),
      ),
  };
}

/** Proto3 writes 64-bit numbers and NaN as text. */
function number(found: unknown, name: string): number {
  const value = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrongType(name, "a number");
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrongType(name: string, word: string): ProtocolError {
  return new ProtocolError("unexpected", `${name} is not ${word}`);
}
