import type { MappingDefinition } from "@metrum/contract/headend";
import { finite, ProtocolError, secondsOf, type Reading } from "@metrum/protocols/core";
import { isFieldName, type FieldName } from "@metrum/vocabulary";

/** Result of applying a mapping to a message. */
export interface Mapped {
  readonly networkId: string;
  /** Epoch seconds UTC; null when the mapping has no time path. */
  readonly at: number | null;
  readonly reading: Reading;
}

/**
 * The part of a topic that matches {device}, or "" if the topic pattern has none; undefined when the topic
 * does not match.
 */
export function matchTopic(pattern: string, topic: string): string | undefined {
  const wanted = pattern.split("/");
  const given = topic.split("/");
  let device = "";
  for (const [at, part] of wanted.entries()) {
    if (part === "#") return device;
    const own = given[at];
    if (own === undefined || own === "") return undefined;
    if (part === "+") continue;
    const [before = "", after] = part.split("{device}");
    if (after === undefined) {
      if (own !== part) return undefined;
      continue;
    }
    if (own.length <= before.length + after.length || !own.startsWith(before) || !own.endsWith(after))
      return undefined;
    device = own.slice(before.length, own.length - after.length);
  }
  return given.length === wanted.length ? device : undefined;
}

/** Reads a message by a mapping. Errors: ProtocolError "unexpected" that names the path. */
export function readMapped(definition: MappingDefinition, topic: string, body: Uint8Array): Mapped {
  const message = jsonOf(body);
  const named = matchTopic(definition.topic, topic) ?? "";
  const device = definition.device_path === undefined ? named : textAt(message, definition.device_path);
  if (device === "" || device.length > 255) throw wrong("neither topic nor message names the device");
  const values: Partial<Record<FieldName, number>> = {};
  for (const { path, field, factor = 1 } of definition.values) {
    const found = valueAt(message, path);
    if (found === undefined || found === null || !isFieldName(field)) continue;
    values[field] = finite(numberOf(found, path) * factor, path);
  }
  if (Object.keys(values).length === 0) throw wrong("none of the values is there");
  const at = timeOf(definition, message);
  return { networkId: device, at, reading: { msgType: 1, at, values } };
}

/** A number, a number as text, or a state as 0 and 1. Errors: ProtocolError "unexpected". */
function numberOf(found: unknown, path: string): number {
  if (typeof found === "boolean") return Number(found);
  const value = typeof found === "string" && isDecimal(found) ? Number(found) : found;
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(`${path} is not a number`);
  return value;
}

/** `Number` also takes the empty text for 0, and 0x1F for 31. */
const isDecimal = (text: string): boolean => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text);

const wrong = (message: string) => new ProtocolError("unexpected", message);

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as unknown;
  } catch {
    throw wrong("not JSON");
  }
}

function textAt(message: unknown, path: string): string {
  const found = valueAt(message, path);
  if (typeof found === "string") return found.trim();
  if (typeof found === "number") return String(found);
  throw wrong(`${path} is not a name`);
}

/** Own properties only: inherited ones are not part of the message. */
function valueAt(message: unknown, path: string): unknown {
  let found: unknown = message;
  for (const step of path.split(/[.[\]]+/).filter((part) => part !== "")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Reflect.get(found, step);
  }
  return found;
}

const lastSecond = 253_402_300_799;

function timeOf({ time }: MappingDefinition, message: unknown): number | null {
  if (!time) return null;
  const found = valueAt(message, time.path);
  const seconds =
    time.format === "iso"
      ? typeof found === "string" && secondsOf(found)
      : countOf(found, time.format === "milliseconds" ? 1000 : 1);
  if (!(typeof seconds === "number" && seconds > 0 && seconds <= lastSecond))
    throw wrong(`${time.path} is not a time`);
  return seconds;
}

/** Whole seconds of a number, or of its text; NaN for anything else: `Number` takes true for 1. */
function countOf(value: unknown, unitsOfSecond: number): number {
  const count = typeof value === "string" && isDecimal(value) ? Number(value) : value;
  return typeof count === "number" ? Math.floor(count / unitsOfSecond) : Number.NaN;
}
