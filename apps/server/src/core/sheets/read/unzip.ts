import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { SheetFault, sheetBounds } from "./fault.ts";

interface Entry {
  readonly method: number;
  readonly packed: number;
  readonly at: number;
}

/** An archive whose files are read one by one, within the bounds of all together. */
export interface Archive {
  readonly names: readonly string[];
  /** The text of a file in parts; nothing if there is no such file. */
  readonly read: (name: string) => AsyncGenerator<string>;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
const endLength = 22;
/** The comment of an archive has at most 64 KiB. */
const longestEnd = endLength + 0xffff;
const chunkBytes = 64 * 1024;
/** Below this size a high ratio is no attack: empty sheets consist of repetitions. */
const harmlessBytes = 1024 * 1024;

/**
 * Opens an archive by its directory. Sizes stated in it are not believed: what is unpacked is counted.
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16; stored and deflated files without
 * encryption. Throws SheetFault.
 */
export function openArchive(bytes: Buffer): Archive {
  const entries = directoryOf(bytes);
  const sums = { unpacked: 0 };
  return {
    names: [...entries.keys()],
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) return;
      const decoder = new TextDecoder("utf-8");
      let unpacked = 0;
      for await (const chunk of unpackedChunks(bytes, entry)) {
        unpacked += chunk.length;
        sums.unpacked += chunk.length;
        if (sums.unpacked > sheetBounds.unpackedBytes) throw new SheetFault("too_large", name);
        if (unpacked > harmlessBytes && unpacked > entry.packed * sheetBounds.ratio)
          throw new SheetFault("too_large", name);
        yield decoder.decode(chunk, { stream: true });
      }
      yield decoder.decode();
    },
  };
}

function directoryOf(bytes: Buffer): Map<string, Entry> {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > sheetBounds.entries) throw new SheetFault("too_large", "entries");
  const found = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = count; left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entryMark)
      throw new SheetFault("not_a_table", "directory");
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    if ((flags & 1) === 1) throw new SheetFault("encrypted");
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    found.set(name, { method, packed: bytes.readUInt32LE(at + 20), at: bytes.readUInt32LE(at + 42) });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return found;
}

function endOf(bytes: Buffer): number {
  const from = Math.max(0, bytes.length - longestEnd);
  for (let at = bytes.length - endLength; at >= from; at -= 1)
    if (bytes.readUInt32LE(at) === endMark) return at;
  throw new SheetFault("not_a_table", "no end of the directory");
}

async function* unpackedChunks(bytes: Buffer, { method, packed, at }: Entry): AsyncGenerator<Buffer> {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== localMark)
    throw new SheetFault("not_a_table", "file");
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  if (start + packed > bytes.length) throw new SheetFault("not_a_table", "cut off");
  const content = bytes.subarray(start, start + packed);
  if (method === 0) yield content;
  else if (method === 8) yield* inflated(content);
  else throw new SheetFault("not_a_table", "method");
}

async function* inflated(content: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: chunkBytes });
  const source = Readable.from(chunksOf(content)).on("error", () => undefined);
  try {
    for await (const chunk of source.pipe(inflate) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw new SheetFault("not_a_table", "not deflated");
    throw error;
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
}
