import { ProtocolError, wrongField } from "./errors.ts";

/** Maximum elements of a list and characters of a text. */
const mostElements = 10_000;
const longestText = 10_000;

/**
 * Typed access to JSON in which a missing field means its zero value (as in proto3). Errors of every reader:
 * ProtocolError "unexpected" when the field has another type or exceeds its limits.
 */
export interface Fields {
  has(name: string): boolean;
  text(name: string): string;
  number(name: string): number;
  /** A whole number within bounds, both included. */
  integer(name: string, min: number, max: number): number;
  flag(name: string): boolean;
  inner(name: string): Fields;
  list(name: string): readonly Fields[];
  texts(name: string): readonly string[];
  /** All names and values, for objects with dynamic names. */
  entries(): readonly (readonly [string, unknown])[];
}

/** Reads one JSON text. Errors: ProtocolError "unexpected" when it is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProtocolError("unexpected", "not JSON");
  }
}

/** Parses one JSON object; `path` prefixes names in errors. */
export function fieldsOf(value: unknown, path = ""): Fields {
  if (!isRecord(value)) throw wrongField(path === "" ? "message" : path, "object");
  return new JsonFields(value, path);
}

/** A class, because one is created for every object of every message. */
class JsonFields implements Fields {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: Readonly<Record<string, unknown>>, path: string) {
    this.#value = value;
    this.#path = path;
  }

  /** Own properties only: "constructor" is no field of a message. */
  #own(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }

  #elements(name: string): readonly unknown[] {
    return elementsOf(this.#own(name) ?? [], `${this.#path}${name}`);
  }

  has(name: string): boolean {
    return (this.#own(name) ?? null) !== null;
  }

  text(name: string): string {
    return textOf(this.#own(name) ?? "", `${this.#path}${name}`);
  }

  number(name: string): number {
    return numberOf(this.#own(name) ?? 0, `${this.#path}${name}`);
  }

  integer(name: string, min: number, max: number): number {
    const found = this.number(name);
    if (!Number.isInteger(found) || found < min || found > max)
      throw wrongField(`${this.#path}${name}`, "whole", { least: min, most: max });
    return found;
  }

  flag(name: string): boolean {
    const found = this.#own(name) ?? false;
    if (typeof found !== "boolean") throw wrongField(`${this.#path}${name}`, "flag");
    return found;
  }

  inner(name: string): Fields {
    return fieldsOf(this.#own(name) ?? {}, `${this.#path}${name}.`);
  }

  list(name: string): readonly Fields[] {
    return this.#elements(name).map((each, at) => fieldsOf(each, `${this.#path}${name}[${at}].`));
  }

  texts(name: string): readonly string[] {
    return this.#elements(name).map((each, at) => textOf(each, `${this.#path}${name}[${at}]`));
  }

  entries(): readonly (readonly [string, unknown])[] {
    return Object.entries(this.#value);
  }
}

/**
 * The elements of a list. Errors: ProtocolError "unexpected" when it is not a list, or has more than 10,000.
 */
export function elementsOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongField(name, "list");
  if (value.length > mostElements) throw wrongField(name, "few", { most: mostElements });
  return value;
}

function textOf(found: unknown, name: string): string {
  if (typeof found !== "string") throw wrongField(name, "text");
  if (found.length > longestText) throw wrongField(name, "short", { most: longestText });
  return found;
}

/** Proto3 writes 64-bit numbers as text, and so do network servers with others. */
function numberOf(found: unknown, name: string): number {
  const value =
    typeof found === "string" && /^\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*$/.test(found) ? Number(found) : found;
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrongField(name, "number");
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const instant = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Epoch seconds UTC of a text of RFC 3339; null for other text. A time without a zone is ambiguous: `Date` reads it
 * in the zone of the process, as it takes the 31st of February for a day of March.
 */
export function secondsOf(text: string): number | null {
  const day = instant.exec(text)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const milliseconds = Date.parse(text.replace(" ", "T"));
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}

/** Whether a calendar has the day of a text such as 2026-02-28. */
function isDay(text: string): boolean {
  // Every month has these; uplinks come by thousands a second.
  if (Number(text.slice(8)) <= 28) return true;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
