import { named } from "../../core/spans.ts";
import type { TraceName } from "@metrum/vocabulary";
import { ByteReader, type ByteWriter } from "../../core/bytes.ts";
import { readLength, writeOctets } from "./axdr.ts";

/**
 * Contents of a BER element, to be read on; spans go to the same trace. Errors: ProtocolError "unexpected"
 * for another tag or the end.
 */
export function readBer(reader: ByteReader, tag: number, name: TraceName): ByteReader {
  const found = readAnyBer(reader, name);
  return found.tag === tag
    ? found.content
    : reader.fail(`tag ${String(found.tag)} instead of ${String(tag)}`);
}

/** The next BER element whatever its tag (one byte). Errors: ProtocolError "unexpected". */
export function readAnyBer(reader: ByteReader, name: TraceName): { tag: number; content: ByteReader } {
  const tag = reader.u8(named(name, { part: "tag" }));
  return { tag, content: readContents(reader, name) };
}

/** Contents of an element whose tag has been read. Errors: ProtocolError "unexpected". */
export function readContents(reader: ByteReader, name: TraceName): ByteReader {
  const length = readLength(reader, named(name, { part: "length" }));
  const base = reader.offset;
  return new ByteReader(reader.take(length), { trace: reader.spans, base });
}

/** Tag, length, contents. */
export const writeBer = (writer: ByteWriter, tag: number, content: Uint8Array): ByteWriter =>
  writeOctets(writer.u8(tag), content);

/** The rest of an element. Errors: none. */
export const restOf = (content: ByteReader, name: TraceName): Uint8Array =>
  content.take(content.remaining, name);
