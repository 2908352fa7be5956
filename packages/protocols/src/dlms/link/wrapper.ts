import { ByteReader, ByteWriter, type Span } from "../../core/bytes.ts";
import type { Match } from "../../core/conversation.ts";
import type { WrapperFrame } from "./frames.ts";

const headerBytes = 8;
const version = 1;

/**
 * A message in the wrapper of TCP and UDP.
 * Source: IEC 62056-47, 5.3 (Green Book 7.4). Layout, high byte first: version 0001, source port, destination
 * port, length of the message; no checksum.
 * Errors: ProtocolError "unexpected".
 */
export function parseWrapper(
  bytes: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): WrapperFrame {
  const reader = new ByteReader(bytes, options);
  if (reader.u16be("wrapper_version") !== version) reader.fail("wrapper version is not 1");
  const source = reader.u16be("source_wport");
  const destination = reader.u16be("destination_wport");
  const length = reader.u16be("message_length");
  const payload = reader.take(length);
  if (!reader.done) reader.fail(`${String(reader.remaining)} bytes after the message`);
  return { source, destination, payload };
}

/** The mirror of `parseWrapper`. Errors: RangeError for more than 65535 bytes (a bug of the caller). */
export function encodeWrapper({ source, destination, payload }: WrapperFrame): Uint8Array {
  const writer = new ByteWriter(headerBytes + payload.length).u16be(version).u16be(source).u16be(destination);
  return writer.u16be(payload.length).raw(payload).finish();
}

/**
 * Length of the wrapped message that begins here: 0 when none can begin here, undefined when more bytes are
 * needed to tell.
 * Source: IEC 62056-47, 5.3. Errors: none.
 */
export function wrapperLength(bytes: Uint8Array, at = 0): number | undefined {
  if (bytes[at] !== 0) return 0;
  if (at + 1 < bytes.length && bytes[at + 1] !== version) return 0;
  const high = bytes[at + 6];
  const low = bytes[at + 7];
  if (high === undefined || low === undefined) return undefined;
  const total = headerBytes + high * 256 + low;
  return at + total > bytes.length ? undefined : total;
}

/**
 * Tells how much of the received bytes is the message that a step waits for; messages that are not wanted
 * (echo, late answer) are skipped. Bytes at which no wrapper can begin are skipped too; there is no checksum,
 * so noise that looks like a header spoils the try.
 * Source: IEC 62056-47, 5.3. Errors: none.
 */
export function matchWrapper(
  isWanted: (frame: WrapperFrame) => boolean = () => true,
): (received: Uint8Array) => Match {
  return (received) => {
    let skip = 0;
    while (skip < received.length) {
      const length = wrapperLength(received, skip);
      if (length === undefined) return { state: "more", skip };
      if (length > 0 && isWanted(parseWrapper(received.subarray(skip, skip + length))))
        return { state: "frame", length, skip };
      skip += Math.max(length, 1);
    }
    return { state: "more", skip };
  };
}
