import { SheetFault } from "./fault.ts";

/** Part of an XML document; names are without their prefix. */
export type XmlPart =
  | { readonly kind: "open"; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** Longest tag or text that is held at once. */
const longestPart = 1024 * 1024;
const tag = /<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:"[^"]*"|'[^']*'|[^"'<>])*?)(\/?)>/y;

/**
 * Reads an XML document as it arrives. Comments and instructions are skipped; a document type, and with it
 * every entity of its own, is refused. Throws SheetFault.
 */
export async function* xmlParts(chunks: AsyncIterable<string>): AsyncGenerator<XmlPart[]> {
  let rest = "";
  for await (const chunk of chunks) {
    rest += chunk;
    const parts: XmlPart[] = [];
    rest = rest.slice(take(rest, parts));
    if (rest.length > longestPart) throw new SheetFault("not_a_table", "a part of the XML is too long");
    if (parts.length > 0) yield parts;
  }
}

/** Takes the whole parts of a text; returns where the unfinished one begins. */
function take(text: string, parts: XmlPart[]): number {
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    if (next === -1) return at;
    if (next > at) parts.push({ kind: "text", text: decoded(text.slice(at, next)) });
    const end =
      text[next + 1] === "!" || text[next + 1] === "?" ? skip(text, next, parts) : takeTag(text, next, parts);
    if (end === undefined) return next;
    at = end;
  }
  return at;
}

function takeTag(text: string, at: number, parts: XmlPart[]): number | undefined {
  tag.lastIndex = at;
  const found = tag.exec(text);
  if (!found) return undefined;
  const [, closes, name = "", attributes = "", empty] = found;
  if (closes === "/") parts.push({ kind: "close", name });
  else parts.push({ kind: "open", name, attributes, isEmpty: empty === "/" });
  return tag.lastIndex;
}

function skip(text: string, at: number, parts: XmlPart[]): number | undefined {
  const head = text.slice(at, at + 9);
  if (head.length < 9 && "<![CDATA[<!DOCTYPE".includes(head) && head.startsWith("<!")) return undefined;
  const [closing, isText] = head.startsWith("<!--")
    ? ["-->", false]
    : head === "<![CDATA["
      ? ["]]>", true]
      : ["?>", false];
  if (head.startsWith("<!") && closing === "?>") throw new SheetFault("has_entities");
  const end = text.indexOf(closing, at);
  if (end === -1) return undefined;
  if (isText) parts.push({ kind: "text", text: text.slice(at + 9, end) });
  return end + closing.length;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Predefined entities and characters by their number. Throws SheetFault for any other. */
export function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#x?[\da-fA-F]+|\w+);/g, (_, name: string) => {
    const known = entities[name];
    if (known !== undefined) return known;
    const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    if (!name.startsWith("#") || !(code <= 0x10ffff)) throw new SheetFault("has_entities");
    return String.fromCodePoint(code);
  });
}

/** Value of an attribute of a tag. */
export function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : decoded(value);
}
