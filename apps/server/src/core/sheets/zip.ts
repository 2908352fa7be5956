import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** A file of an archive; its content is read once, while it is written. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string | Buffer>;
}

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

/**
 * Writes an archive while its content is produced, in constant memory: the sizes and the checksum of a file
 * follow it (bit 3 of the flags).
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.9, 4.3.12 and 4.3.16. Files below 4 GiB; names in UTF-8.
 */
export async function* zipped(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  for (const { name: text, content } of entries) {
    const name = Buffer.from(text);
    const header = localHeader(name);
    const sums = { crc: 0, size: 0 };
    const deflate = createDeflateRaw({ level: 1 });
    // An error of the content destroys the stream that is read below, which throws it.
    pipeline(Readable.from(counted(content, sums)), deflate, () => undefined);
    yield header;
    let packed = 0;
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      packed += chunk.length;
      yield chunk;
    }
    const entry = { name, ...sums, packed, at };
    const descriptor = numbers(16, [0x08074b50, 4], [entry.crc, 4], [packed, 4], [entry.size, 4]);
    yield descriptor;
    written.push(entry);
    at += header.length + packed + descriptor.length;
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  yield numbers(
    22,
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [written.length, 2],
    [written.length, 2],
    [directory.length, 4],
    [at, 4],
    [0, 2],
  );
}

async function* counted(content: ZipEntry["content"], sums: { crc: number; size: number }) {
  for await (const part of content) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    sums.crc = crc32(bytes, sums.crc);
    sums.size += bytes.length;
    yield bytes;
  }
}

/** Version 2.0, sizes in the descriptor and a name in UTF-8, deflate, 1 January 1980. */
const common = [
  [20, 2],
  [0x0808, 2],
  [8, 2],
  [0, 2],
  [0x21, 2],
] as const;

function localHeader(name: Buffer): Buffer {
  const fields = numbers(30, [0x04034b50, 4], ...common, [0, 4], [0, 4], [0, 4], [name.length, 2], [0, 2]);
  return Buffer.concat([fields, name]);
}

function directoryEntry({ name, crc, packed, size, at }: Written): Buffer {
  const rest = [0, 0, 0, 0].map((value): Field => [value, 2]);
  const fields = numbers(
    46,
    [0x02014b50, 4],
    [20, 2],
    ...common,
    [crc, 4],
    [packed, 4],
    [size, 4],
    [name.length, 2],
    ...rest,
    [0, 4],
    [at, 4],
  );
  return Buffer.concat([fields, name]);
}

type Field = readonly [value: number, bytes: 2 | 4];

/** Little-endian numbers, one after the other. */
function numbers(length: number, ...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(length);
  let at = 0;
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}
