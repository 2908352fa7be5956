import { named } from "../../core/spans.ts";
import type { TraceName, TraceValue } from "@metrum/vocabulary";
import { ByteReader, type Span } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { readLength } from "./axdr.ts";
import { dataTags, dataTypeName, maxDepth } from "./dataTypes.ts";
import { readSimple } from "./simpleData.ts";
import type { DlmsData, TypeDescription } from "../types.ts";

/**
 * Recursion state and the remaining number of values: elements of a compact array may take no bytes, so their
 * number is limited.
 */
interface Scope {
  left: number;
  readonly depth: number;
}

/**
 * A whole value.
 * Source: Green Book 9.5, IEC 62056-53 (A-XDR). Layout: tag, then by type; numbers high byte first; see
 * `dataTags`.
 * Errors: ProtocolError "unexpected" (end of data, nesting over 16, more elements than bytes, bytes left
 * over), "unsupported" (unknown tag).
 */
export function decodeData(
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): DlmsData {
  const reader = new ByteReader(bytes, options);
  const data = readData(reader);
  if (!reader.done) reader.fail(`${String(reader.remaining)} bytes after the value`);
  return data;
}

/** Types with a translated name; others are named as in the standard. */
const typeCodes: Readonly<Partial<Record<string, TraceName>>> = {
  array: "type_array",
  structure: "type_structure",
  octets: "type_octets",
  enum: "type_enum",
  null: "type_null",
  bitString: "type_bit_string",
  dateTime: "type_date_time",
  date: "type_date",
  time: "type_time",
  compactArray: "type_compact_array",
};

function typeWords(type: string): TraceValue {
  const word = typeCodes[type];
  return word === undefined ? type : { word };
}

/** The same name for an element of what it names. */
function itemOf(name: TraceName, nth: number): TraceName {
  const { path } = typeof name === "string" ? { path: undefined } : name;
  return named(name, { path: path === undefined ? String(nth) : `${path}.${String(nth)}` });
}

/** A value at the front of the remaining bytes; see `decodeData`. Time is linear in the bytes. */
export function readData(reader: ByteReader, name: TraceName = "value"): DlmsData {
  return readValue(reader, name, { left: Infinity, depth: 0 });
}

function readValue(reader: ByteReader, name: TraceName, scope: Scope): DlmsData {
  const at = reader.offset;
  const tag = reader.u8();
  const type = dataTypeName(tag);
  if (type === undefined)
    throw new ProtocolError("unsupported", `unknown data type ${String(tag)}`, { offset: at });
  reader.note(named(name, { part: "type" }), 1, typeWords(type), at);
  if (tag === dataTags.array || tag === dataTags.structure) {
    const count = readLength(reader, named(name, { part: "elements" }));
    if (count > reader.remaining)
      reader.fail(`${String(count)} elements in ${String(reader.remaining)} bytes`);
    const items = readItems(reader, name, { scope, count, read: readValue });
    return { type: tag === dataTags.array ? "array" : "structure", items };
  }
  return tag === dataTags.compactArray
    ? readCompactArray(reader, name, scope)
    : readSimple(reader, tag, name);
}

interface Items {
  readonly scope: Scope;
  readonly count: number;
  readonly read: (reader: ByteReader, name: TraceName, scope: Scope) => DlmsData;
}

function readItems(reader: ByteReader, name: TraceName, { scope, count, read }: Items): DlmsData[] {
  const inner = enter(reader, scope);
  const items: DlmsData[] = [];
  for (let at = 0; at < count; at++) {
    inner.left--;
    if (inner.left < 0) reader.fail("more elements than the data can hold");
    items.push(read(reader, reader.spans ? itemOf(name, at + 1) : name, inner));
  }
  scope.left = inner.left;
  return items;
}

function enter(reader: ByteReader, scope: Scope): Scope {
  if (scope.depth >= maxDepth) reader.fail(`nested deeper than ${String(maxDepth)}`);
  return { left: scope.left, depth: scope.depth + 1 };
}

/**
 * Elements without tags, whose type is described once before them.
 * Source: Green Book 9.5. Layout: type description, length in bytes, contents; arrays inside have a fixed
 * count, strings their length.
 */
function readCompactArray(reader: ByteReader, name: TraceName, scope: Scope): DlmsData {
  const start = reader.position;
  const description = readDescription(reader, name, 0);
  const length = readLength(reader, named(name, { part: "length" }));
  const base = reader.offset;
  const contents = new ByteReader(reader.take(length), { base, trace: reader.spans });
  const inner = { ...enter(reader, scope), left: reader.position - start + 64 };
  const items: DlmsData[] = [];
  while (!contents.done) {
    const before = contents.position;
    items.push(readDescribed(contents, itemOf(name, items.length + 1), description, inner));
    if (contents.position === before) contents.fail("elements of a compact array take no bytes");
  }
  return { type: "compactArray", description, items };
}

function readDescription(reader: ByteReader, name: TraceName, depth: number): TypeDescription {
  if (depth > maxDepth) reader.fail(`nested deeper than ${String(maxDepth)}`);
  const at = reader.offset;
  const tag = reader.u8();
  const type = dataTypeName(tag);
  if (type === undefined || tag === dataTags.compactArray)
    throw new ProtocolError("unsupported", `unknown data type ${String(tag)}`, { offset: at });
  reader.note(named(name, { part: "element_type" }), 1, typeWords(type), at);
  if (tag === dataTags.array) {
    const count = reader.u16be(named(name, { part: "elements" }));
    return { kind: "array", count, of: readDescription(reader, name, depth + 1) };
  }
  if (tag !== dataTags.structure) return { kind: "simple", tag };
  const count = readLength(reader, named(name, { part: "elements" }));
  if (count > reader.remaining) reader.fail(`${String(count)} elements in ${String(reader.remaining)} bytes`);
  const of = Array.from({ length: count }, () => readDescription(reader, name, depth + 1));
  return { kind: "structure", of };
}

function readDescribed(
  reader: ByteReader,
  name: TraceName,
  description: TypeDescription,
  scope: Scope,
): DlmsData {
  if (description.kind === "simple") return readSimple(reader, description.tag, name);
  if (description.kind === "array") {
    const read: Items["read"] = (_, path, inner) => readDescribed(reader, path, description.of, inner);
    return { type: "array", items: readItems(reader, name, { scope, count: description.count, read }) };
  }
  const parts = description.of.values();
  const read: Items["read"] = (_, path, inner) => {
    const part = parts.next();
    return part.done === true ? { type: "null" } : readDescribed(reader, path, part.value, inner);
  };
  return {
    type: "structure",
    items: readItems(reader, name, { scope, count: description.of.length, read }),
  };
}
