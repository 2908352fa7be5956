import type { ExchangeStep } from "@metrum/contract/headend";
import { termOf, traceLook, type TraceLook } from "@metrum/vocabulary";

export type Span = ExchangeStep["received_spans"][number];

/** Role of a part of a frame; fields differ by lightness, the checksum is right or wrong. */
export type StretchKind = "address" | "function" | "checksum" | "data" | "unnamed";

export interface Stretch {
  readonly offset: number;
  readonly bytes: readonly string[];
  readonly name: Span["name"] | null;
  readonly kind: StretchKind;
  /** 0, 1, 2 in turn, so that neighbours can be distinguished. */
  readonly shade: number;
}

/** Two upper-case digits a byte; a trailing odd digit is dropped. */
export function bytesOf(hex: string): readonly string[] {
  return (hex.replaceAll(/[^0-9a-fA-F]/g, "").match(/../g) ?? []).map((each) => each.toUpperCase());
}

const kinds = {
  check: "checksum",
  address: "address",
  function: "function",
  "function hex": "function",
  hex: "data",
  moment: "data",
} as const satisfies Record<TraceLook, StretchKind>;

function kindOf(name: Span["name"]): StretchKind {
  const look = traceLook(name);
  // Not verified: a colour would suggest that it was compared.
  if (termOf(name).isUnchecked === true) return "data";
  return look === undefined ? "data" : kinds[look];
}

/**
 * Splits a frame into consecutive parts. Of overlapping names the shortest wins: a record is shown by its
 * fields. Unnamed bytes stay visible.
 */
export function stretchesOf(hex: string, spans: readonly Span[]): readonly Stretch[] {
  const bytes = bytesOf(hex);
  const owner = new Array<Span | undefined>(bytes.length).fill(undefined);
  for (const span of [...spans].sort((a, b) => a.bytes - b.bytes || a.offset - b.offset)) {
    const places = Array.from({ length: span.bytes }, (_, at) => span.offset + at);
    if (places.some((at) => at < 0 || at >= bytes.length || owner[at] !== undefined)) continue;
    for (const at of places) owner[at] = span;
  }
  const found: Stretch[] = [];
  let shade = 0;
  for (let from = 0; from < bytes.length;) {
    const span = owner[from];
    let to = from + 1;
    while (to < bytes.length && owner[to] === span) to++;
    const kind = span ? kindOf(span.name) : "unnamed";
    found.push({
      offset: from,
      bytes: bytes.slice(from, to),
      name: span?.name ?? null,
      kind,
      shade: kind === "data" ? shade++ % 3 : 0,
    });
    from = to;
  }
  return found;
}

/** Tries of one question belong together: they follow each other, with a higher try. */
export interface Question {
  readonly label: ExchangeStep["label"];
  readonly tries: readonly ExchangeStep[];
}

export function questionsOf(steps: readonly ExchangeStep[]): readonly Question[] {
  const found: { label: ExchangeStep["label"]; tries: ExchangeStep[] }[] = [];
  for (const step of steps) {
    const last = found.at(-1);
    if (last && step.try > 1) last.tries.push(step);
    else found.push({ label: step.label, tries: [step] });
  }
  return found;
}

/** Messages of a network server are JSON: its lines; undefined for bytes of a device. */
export function jsonLines(hex: string): string | undefined {
  const bytes = Uint8Array.from(bytesOf(hex), (byte) => Number.parseInt(byte, 16));
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return JSON.stringify(json, null, 2);
  } catch {
    return undefined;
  }
}

/** Uplinks of a device: there is no request, so attempts and waiting times are not shown. */
export const isUnasked = ({ sent }: ExchangeStep): boolean => sent === "";

/** A value that only repeats its bytes is redundant. */
const isRepeat = ({ value, bytes }: Span, digits: readonly string[]): boolean =>
  bytes > 4 && typeof value === "string" && value.toUpperCase() === digits.join("");

/**
 * Rows of the table of a frame: every named part with its bytes, in the order of the frame, composites before
 * their parts.
 */
export function fieldRows(hex: string, spans: readonly Span[]) {
  const bytes = bytesOf(hex);
  const looks = new Map(stretchesOf(hex, spans).map((each) => [each.offset, each]));
  return [...spans]
    .sort((a, b) => a.offset - b.offset || b.bytes - a.bytes)
    .map((span) => {
      const digits = bytes.slice(span.offset, span.offset + span.bytes);
      return {
        ...span,
        value: isRepeat(span, digits) ? null : span.value,
        range:
          span.bytes > 1
            ? `${String(span.offset)} – ${String(span.offset + span.bytes - 1)}`
            : String(span.offset),
        digits,
        kind: kindOf(span.name),
        /** Same lightness as the bytes in the frame above. */
        shade: looks.get(span.offset)?.shade ?? 0,
      };
    });
}
