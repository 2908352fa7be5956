import { named } from "../core/spans.ts";
import { ByteWriter, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { crcEn13757 } from "./crc.ts";

/** Position of the radio checksums in a telegram. `none`: removed by the receiver, as most do. */
export type FrameFormat = "none" | "A" | "B";

/** A telegram without the radio checksums. */
export interface CleanTelegram {
  /** From L on; L counts the following bytes here. */
  readonly bytes: Uint8Array;
  readonly format: FrameFormat;
  /** Offset in the received bytes of each byte of `bytes`. */
  readonly origins: readonly number[];
  /** Spans of the checksums and trailing bytes, at received offsets. */
  readonly spans: readonly Span[];
  /** Bytes after the end of the telegram. */
  readonly surplus: number;
}

/** A range of content and its checksum, as offsets in the received bytes. */
interface Block {
  readonly from: number;
  readonly to: number;
}

const firstBlockA = 10;
const blockA = 16;
/** The first two blocks of format B share one checksum, at offset 126 if a third one follows. */
const contentB = 126;
const crcBytes = 2;
/** L, C, M, A, CI. */
const shortest = 11;

/**
 * Takes the check sums of the radio out of a telegram, which also determine its frame format.
 * Source: EN 13757-4, 12.3 and 12.4. Layout: format A: 10 bytes and a check sum, then blocks of up to 16
 * bytes with one each, L does not count them; format B: one behind up to 126 bytes, one behind the rest, L
 * counts them; check sums have the high byte first.
 * Errors: ProtocolError "unexpected" when bytes are missing, "checksum" when a block of format A is damaged.
 * A damaged telegram of format B cannot be told from one without check sums: its last two bytes are then
 * taken for data.
 */
export function takeOutChecks(received: Uint8Array): CleanTelegram {
  const length = (received[0] ?? 0) + 1;
  if (length < shortest) throw new ProtocolError("unexpected", "L is shorter than the header", { offset: 0 });
  const blocksA = blocksOfA(length);
  const lengthA = (blocksA.at(-1)?.to ?? 0) + crcBytes;
  const [firstA] = blocksA;
  if (firstA && received.length >= lengthA && isWhole(received, firstA)) return clean(received, "A", blocksA);
  if (received.length === lengthA)
    throw new ProtocolError("checksum", "check sum of block 1", { offset: firstBlockA });
  if (received.length < length)
    throw new ProtocolError(
      "unexpected",
      `${String(length)} bytes wanted, ${String(received.length)} there`,
      {
        offset: received.length,
      },
    );
  const blocksB = blocksOfB(length);
  if (blocksB.every((block) => isWhole(received, block))) return clean(received, "B", blocksB);
  return clean(received, "none", [{ from: 0, to: length }]);
}

function blocksOfA(length: number): Block[] {
  const blocks: Block[] = [{ from: 0, to: firstBlockA }];
  for (let left = length - firstBlockA, from = firstBlockA + crcBytes; left > 0; left -= blockA) {
    const to = from + Math.min(left, blockA);
    blocks.push({ from, to });
    from = to + crcBytes;
  }
  return blocks;
}

function blocksOfB(length: number): Block[] {
  const first = { from: 0, to: Math.min(length - crcBytes, contentB) };
  const from = first.to + crcBytes;
  return from >= length ? [first] : [first, { from, to: length - crcBytes }];
}

function isWhole(received: Uint8Array, { from, to }: Block): boolean {
  const found = ((received[to] ?? 0) << 8) | (received[to + 1] ?? 0);
  return to > from && to + crcBytes <= received.length && found === crcEn13757(received.subarray(from, to));
}

function clean(received: Uint8Array, format: FrameFormat, blocks: readonly Block[]): CleanTelegram {
  const spans: Span[] = [];
  const origins: number[] = [];
  let end = 0;
  blocks.forEach((block, at) => {
    for (let place = block.from; place < block.to; place++) origins.push(place);
    end = block.to;
    if (format === "none") return;
    if (!isWhole(received, block))
      throw new ProtocolError("checksum", `check sum of block ${String(at + 1)}`, { offset: block.to });
    spans.push({ offset: end, bytes: crcBytes, name: "radio_check", value: { word: "right" } });
    end += crcBytes;
  });
  const bytes = Uint8Array.from(origins, (place) => received[place] ?? 0);
  bytes[0] = bytes.length - 1;
  const surplus = received.length - end;
  if (surplus > 0) spans.push({ offset: end, bytes: surplus, name: "behind_telegram", value: null });
  return { bytes, format, origins, spans, surplus };
}

/**
 * Puts the check sums of the radio into a telegram.
 * Source, layout: as `takeOutChecks`. Errors: RangeError when the telegram is longer than L can say (a bug of
 * the caller).
 */
export function putInChecks(bytes: Uint8Array, format: FrameFormat): Uint8Array {
  if (format === "none") return bytes;
  const sizes =
    format === "A"
      ? blocksOfA(bytes.length).map(({ from, to }) => to - from)
      : [Math.min(bytes.length, contentB), Math.max(bytes.length - contentB, 0)].filter((size) => size > 0);
  const copy = bytes.slice();
  if (format === "B")
    copy[0] = new ByteWriter().u8(bytes.length - 1 + crcBytes * sizes.length).finish()[0] ?? 0;
  const writer = new ByteWriter();
  let at = 0;
  for (const size of sizes) {
    const part = copy.subarray(at, at + size);
    writer.raw(part).u16be(crcEn13757(part));
    at += size;
  }
  return writer.finish();
}

/**
 * Maps spans of derived bytes to the offsets of their source bytes. A span that is discontiguous there is
 * split; bytes without a source (-1) are omitted. Errors: none.
 */
export function placedSpans(spans: readonly Span[], origins: readonly number[]): Span[] {
  return spans.flatMap((span) => {
    const parts: { offset: number; bytes: number }[] = [];
    for (let at = span.offset; at < span.offset + span.bytes; at++) {
      const place = origins[at] ?? -1;
      const last = parts.at(-1);
      if (place < 0) continue;
      if (last && last.offset + last.bytes === place) last.bytes += 1;
      else parts.push({ offset: place, bytes: 1 });
    }
    return parts.map((part, at) => ({
      ...part,
      name: at === 0 ? span.name : named(span.name, { isContinued: true }),
      value: span.value,
    }));
  });
}
