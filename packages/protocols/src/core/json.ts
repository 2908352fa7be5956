import { ProtocolError } from "./errors.ts";

/** Elements of one list and characters of one text that are looked at. */
const mostElements = 10_000;
const longestText = 10_000;

/**
 * Typed looks into JSON in which a missing field means its zero value (as proto3 writes it).
 * Errors of every reader: ProtocolError "unexpected" when the field has another type or is beyond its bounds.
 */
export interface Fields {
  readonly has: (name: string) => boolean;
  readonly text: (name: string) => string;
  readonly number: (name: string) => number;
  /** A whole number within bounds, both included. */
  readonly integer: (name: string, min: number, max: number) => number;
  readonly flag: (name: string) => boolean;
  readonly inner: (name: string) => Fields;
  readonly list: (name: string) => readonly Fields[];
  readonly texts: (name: string) => readonly string[];
  /** Names and values as they are, for what has names of its own. */
  readonly entries: () => readonly (readonly [string, unknown])[];
}

/** Reads one JSON text. Errors: ProtocolError "unexpected" when it is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProtocolError("unexpected", "not JSON");
  }
}

/** Reads one JSON object; `path` stands in front of names in errors. */
export function fieldsOf(value: unknown, path = ""): Fields {
  if (!isRecord(value)) throw wrongType(path === "" ? "message" : path, "an object");
  // Only what the object itself holds: "constructor" is no field of a message.
  const own = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
  const flagOf = (name: string): boolean => {
    const found = own(name) ?? false;
    if (typeof found !== "boolean") throw wrongType(`${path}${name}`, "true or false");
    return found;
  };
  const listOf = (name: string): readonly unknown[] => elementsOf(own(name) ?? [], `${path}${name}`);
  return {
    has: (name) => (own(name) ?? null) !== null,
    text: (name) => textOf(own(name) ?? "", `${path}${name}`),
    number: (name) => numberOf(own(name) ?? 0, `${path}${name}`),
    integer: (name, min, max) => {
      const found = numberOf(own(name) ?? 0, `${path}${name}`);
      if (!Number.isInteger(found) || found < min || found > max)
        throw wrongType(`${path}${name}`, `a whole number from ${min} to ${max}`);
      return found;
    },
    flag: flagOf,
    inner: (name) => fieldsOf(own(name) ?? {}, `${path}${name}.`),
    list: (name) => listOf(name).map((each, at) => fieldsOf(each, `${path}${name}[${at}].`)),
    texts: (name) => listOf(name).map((each, at) => textOf(each, `${path}${name}[${at}]`)),
    entries: () => Object.entries(value),
  };
}

/** The elements of a list. Errors: ProtocolError "unexpected" when it is none, or has more than 10,000. */
export function elementsOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(name, "a list");
  if (value.length > mostElements) throw wrongType(name, `a list of at most ${mostElements}`);
  return value;
}

function textOf(found: unknown, name: string): string {
  if (typeof found !== "string") throw wrongType(name, "a text");
  if (found.length > longestText) throw wrongType(name, `a text of at most ${longestText} characters`);
  return found;
}

/** Proto3 writes 64-bit numbers as text, and so do network servers with others. */
function numberOf(found: unknown, name: string): number {
  const value =
    typeof found === "string" && /^\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*$/.test(found) ? Number(found) : found;
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrongType(name, "a number");
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrongType(name: string, word: string): ProtocolError {
  return new ProtocolError("unexpected", `${name} is not ${word}`);
}

/** Epoch seconds UTC of an ISO 8601 text; null when it is none. */
export function secondsOf(text: string): number | null {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
