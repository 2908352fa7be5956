/** Entries from which an array is written on its own, and in how many at a time. */
const longArray = 1_000;
const entriesAtOnce = 250;
/** Objects within each other that are searched for long arrays: envelope, answer, columns. */
const deepest = 3;

/**
 * A value as JSON, like `JSON.stringify`; with a long array in it, as UTF-8. A single letter beyond Latin-1, as in the
 * title of a column, doubles the size of a whole string and triples the time to encode it, and strings of megabytes are
 * moved: long arrays are written in parts.
 */
export function jsonOf(value: unknown): string | Buffer {
  if (!isPlain(value) || !hasLongArray(value, deepest)) return JSON.stringify(value);
  const parts: Part[] = [];
  write(value, deepest - 1, parts);
  const lengths = parts.map(({ text, isMore }) => Buffer.byteLength(text) - (isMore ? 1 : 0));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, each) => sum + each, 0));
  let end = 0;
  for (const { text, isMore } of parts) {
    // The comma takes the place of "][".
    if (isMore) end -= 1;
    const at = end;
    end += bytes.write(text, at);
    if (isMore) bytes[at] = comma;
  }
  return bytes;
}

interface Part {
  readonly text: string;
  /** Further entries of the array before. */
  readonly isMore: boolean;
}

const comma = ",".charCodeAt(0);

type Plain = Readonly<Record<string, unknown>>;

/** What `JSON.stringify` writes key by key. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("toJSON" in value);

function hasLongArray(value: unknown, depth: number): boolean {
  return (
    isLong(value) ||
    (depth > 0 && isPlain(value) && Object.values(value).some((each) => hasLongArray(each, depth - 1)))
  );
}

/** Of an object deeper than `depth` at once, else key by key; keys without a value in JSON are left out. */
function write(value: Plain, depth: number, parts: Part[]): void {
  const put = (text: string): void => void parts.push({ text, isMore: false });
  let mark = "{";
  for (const [key, each] of Object.entries(value)) {
    const isWritten = isLong(each) || (depth > 0 && isPlain(each));
    const text = isWritten ? "" : (JSON.stringify(each) as string | undefined);
    if (text === undefined) continue;
    put(`${mark}${JSON.stringify(key)}:`);
    mark = ",";
    if (!isWritten) put(text);
    else if (isLong(each)) parts.push(...partsOf(each));
    else write(each, depth - 1, parts);
  }
  put(mark === "{" ? "{}" : "}");
}

const isLong = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length >= longArray;

const partsOf = (entries: readonly unknown[]): Part[] =>
  Array.from({ length: Math.ceil(entries.length / entriesAtOnce) }, (_, n) => ({
    text: JSON.stringify(entries.slice(n * entriesAtOnce, (n + 1) * entriesAtOnce)),
    isMore: n > 0,
  }));
