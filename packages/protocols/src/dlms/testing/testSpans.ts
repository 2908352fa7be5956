import type { TraceName } from "@metrum/vocabulary";
import type { Span } from "../../core/bytes.ts";

/** "6 obis_code" of each span: its length and its name, with path and part; with its place where it leaves a hole. */
export function partsOf(spans: readonly Span[], from = 0): string[] {
  let at = from;
  return spans.map(({ offset, bytes, name }) => {
    const place = offset === at ? "" : `@${String(offset)} `;
    at = offset + bytes;
    return `${place}${String(bytes)} ${wordsOf(name)}`;
  });
}

function wordsOf(name: TraceName): string {
  if (typeof name === "string") return name;
  const path = name.path === undefined ? "" : `.${name.path}`;
  return `${name.code}${path}${name.part === undefined ? "" : `/${name.part}`}`;
}
