import { ByteReader, type Span } from "../core/bytes.ts";
import { placedSpans, takeOutChecks, type FrameFormat } from "./blocks.ts";
import type { FormatCache } from "./compact.ts";
import { readLayers, type Content } from "./layers.ts";
import { readLinkHeader, type LinkHeader } from "./link.ts";

/** One decoded telegram of a radio meter. `meter` is the measuring device, `link` the sender. */
export interface WmbusTelegram extends Content {
  readonly link: LinkHeader;
  readonly format: FrameFormat;
}

/**
 * `key`: AES-128 key of the meter. `formats`: full frames seen so far, for compact ones; full frames are
 * added to it.
 */
export interface ReadOptions {
  readonly key?: Uint8Array | undefined;
  readonly formats?: FormatCache | undefined;
  readonly trace?: Span[] | undefined;
}

/**
 * Decodes one telegram of wireless M-Bus or OMS, with or without the check sums of the radio.
 * Source: EN 13757-4 (link), EN 13757-7 and OMS vol. 2 (transport and security), EN 13757-3 (records).
 * Layout: L, C, manufacturer, address, then layers as in `readLayers`. Units: base units of the records.
 * Errors: ProtocolError as `takeOutChecks` and `readLayers`.
 */
export function readWmbus(received: Uint8Array, options: ReadOptions = {}): WmbusTelegram {
  const { trace, key, formats } = options;
  const cleaned = takeOutChecks(received);
  const inner: Span[] | undefined = trace && [];
  const reader = new ByteReader(cleaned.bytes, { trace: inner });
  try {
    const link = readLinkHeader(reader);
    const frame = cleaned.bytes;
    const context = {
      trace: inner,
      frame,
      key,
      formats,
      meter: link,
      protection: "none",
      warnings: [],
    } as const;
    const content = readLayers(reader, context);
    return {
      ...content,
      link,
      format: cleaned.format,
      warnings: [...content.warnings, ...warningsOf(cleaned.surplus, content)],
    };
  } finally {
    // Also when decoding fails half-way: the part read until then is named.
    trace?.push(...placedSpans(inner ?? [], cleaned.origins), ...cleaned.spans);
    trace?.sort((a, b) => a.offset - b.offset);
  }
}

function warningsOf(surplus: number, { protection }: Content): string[] {
  return [
    ...(surplus > 0 ? [`${String(surplus)} bytes behind the telegram are left out`] : []),
    ...(protection === "removed"
      ? ["encryption is announced, but the receiver has already taken it off"]
      : []),
  ];
}
