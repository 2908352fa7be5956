/** Entries from which an array is written on its own. */
const longArray = 1_000;
/** Objects within each other that are searched for long arrays: envelope, answer, columns. */
const deepest = 3;

/**
 * A value as JSON, like `JSON.stringify`; with a long array in it, as UTF-8. A single letter beyond Latin-1, as in the title
 * of a column, doubles the size of a whole string and triples the time to encode it: long arrays are strings of their
 * own.
 */
export function jsonOf(value: unknown): string | Buffer {
  if (!isPlain(value) || !hasLongArray(value, deepest)) return JSON.stringify(value);
  const pieces: string[] = [];
  write(value, deepest - 1, pieces);
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}

type Plain = Readonly<Record<string, unknown>>;

/** What `JSON.stringify` writes key by key. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);

function hasLongArray(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.length >= longArray;
  return depth > 0 && isPlain(value) && Object.values(value).some((each) => hasLongArray(each, depth - 1));
}

/** Of an object deeper than `depth` at once, else key by key; keys without a value in JSON are left out. */
function write(value: Plain, depth: number, pieces: string[]): void {
  let mark = "{";
  for (const [key, each] of Object.entries(value)) {
    const isOpened = depth > 0 && isPlain(each);
    const text = isOpened ? "" : (JSON.stringify(each) as string | undefined);
    if (text === undefined) continue;
    pieces.push(`${mark}${JSON.stringify(key)}:`);
    if (isOpened) write(each, depth - 1, pieces);
    else pieces.push(text);
    mark = ",";
  }
  pieces.push(mark === "{" ? "{}" : "}");
}
