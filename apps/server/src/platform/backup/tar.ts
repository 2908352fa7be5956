/** One entry of an archive, complete: entries are split into parts of a megabyte. */
export interface TarEntry {
  readonly name: string;
  readonly data: Buffer;
}

const blockBytes = 512;
/** Far above the size of written entries; a damaged length must not allocate memory. */
const mostEntryBytes = 64 * 1024 * 1024;

/**
 * An entry in a POSIX ustar archive (IEEE 1003.1, pax "ustar Interchange Format"), padded to blocks of 512.
 */
export function tarEntry({ name, data }: TarEntry): Buffer {
  const header = Buffer.alloc(blockBytes);
  if (Buffer.byteLength(name) > 100) throw new Error(`too long a name for the archive: ${name}`);
  header.write(name);
  writeOctal(header, 100, 8, 0o600);
  writeOctal(header, 108, 8, 0);
  writeOctal(header, 116, 8, 0);
  writeOctal(header, 124, 12, data.length);
  writeOctal(header, 136, 12, 0);
  header.write("0ustar\u000000", 156);
  writeOctal(header, 148, 8, sumOf(header));
  const padding = Buffer.alloc((blockBytes - (data.length % blockBytes)) % blockBytes);
  return Buffer.concat([header, data, padding]);
}

/** Two empty blocks end an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** The entries of an archive in order. Errors: Error if it is no archive, is damaged or truncated. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const pieces = source[Symbol.asyncIterator]();
  const take = taker(pieces);
  for (;;) {
    const header = await take(blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const bytes = octalAt(header, 124, 12);
    if (octalAt(header, 148, 8) !== sumOf(header) || bytes > mostEntryBytes)
      throw new Error("the archive is damaged");
    const padded = await take(Math.ceil(bytes / blockBytes) * blockBytes);
    const name = header.toString("utf8", 0, header.indexOf(0));
    yield { name, data: padded.subarray(0, bytes) };
  }
  // Read to the very end, where the checksum of the compression is.
  while (!(await pieces.next()).done);
}

/** Reads exact numbers of bytes from a stream of chunks of any size. */
function taker(pieces: AsyncIterator<Buffer>): (bytes: number) => Promise<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  return async (bytes) => {
    while (heldBytes < bytes) {
      const piece = await pieces.next();
      if (piece.done) throw new Error("the archive ends too early");
      held.push(piece.value);
      heldBytes += piece.value.length;
    }
    const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    held = [all.subarray(bytes)];
    heldBytes -= bytes;
    return all.subarray(0, bytes);
  };
}

function writeOctal(header: Buffer, at: number, width: number, value: number): void {
  header.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at);
}

function octalAt(header: Buffer, at: number, width: number): number {
  return Number.parseInt(header.toString("latin1", at, at + width), 8);
}

/** Checksum of a header, in which its own field counts as spaces. */
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0;
  return sum;
}
