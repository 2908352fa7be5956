import { ByteReader, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { crcEn13757 } from "./crc.ts";
import { cryptPayload } from "./crypto.ts";
import type { LayerContext } from "./layers.ts";
import { readIdentity } from "./link.ts";

const sessionBytes = 4;

/**
 * Reads the extended link layer and decrypts what it protects.
 * Source: EN 13757-4, 12.6. Layout by CI: 8C CC 1, access number 1; 8D also session number 4 and check sum of
 * the payload 2; 8E and 8F as these with manufacturer 2 and address 6 in front of the session. Session bits
 * 29-31: 0 plain, 1 AES-128-CTR from the check sum on. The check sum has its low byte first and tells a right
 * key. Of 8E and 8F no telegram of a real meter was at hand.
 * Errors: ProtocolError "bad_password" when the key is missing or wrong, "checksum" for a broken plain
 * payload, "unsupported" for another kind of encryption, "unexpected" when shorter.
 */
export function readExtendedLink(
  ci: number,
  reader: ByteReader,
  context: LayerContext,
): { reader: ByteReader; context: LayerContext } {
  const cc = reader.u8("cc_field");
  const accessNumber = reader.u8("link_access_number");
  const meter = ci >= 0x8e ? readIdentity(reader) : context.meter;
  const known = { ...context, accessNumber, meter };
  if (ci === 0x8c || ci === 0x8e) return { reader, context: known };
  const at = reader.offset;
  const session = reader.take(sessionBytes, "session_number");
  const security = (session[3] ?? 0) >> 5;
  if (security > 1)
    throw new ProtocolError("unsupported", `encryption ${String(security)} of the extended link layer`, {
      offset: at,
      detail: security,
    });
  const payload = { address: meter.address, cc, session, isEncrypted: security === 1 };
  return openPayload(reader, known, payload);
}

interface Payload {
  readonly address: Uint8Array;
  readonly cc: number;
  readonly session: Uint8Array;
  readonly isEncrypted: boolean;
}

function openPayload(
  reader: ByteReader,
  context: LayerContext,
  payload: Payload,
): { reader: ByteReader; context: LayerContext } {
  const base = reader.offset;
  const sent = reader.take(reader.remaining);
  const { trace, key } = context;
  if (!payload.isEncrypted) {
    if (!isChecked(sent)) throw new ProtocolError("checksum", "check sum of the payload", { offset: base });
    return { reader: behindCheck(sent, { trace, base }), context };
  }
  if (key === undefined && isChecked(sent))
    return { reader: behindCheck(sent, { trace, base }), context: { ...context, protection: "removed" } };
  if (key === undefined)
    throw new ProtocolError("bad_password", "the payload is encrypted and no key is known", { offset: base });
  const plain = cryptPayload(key, payload, sent);
  if (!isChecked(plain))
    throw new ProtocolError("bad_password", "the key does not open the payload: its check sum is wrong", {
      offset: base,
    });
  return {
    reader: behindCheck(plain, { trace, base }),
    context: { ...context, protection: "extended link layer" },
  };
}

const isChecked = (payload: Uint8Array): boolean =>
  payload.length > 2 && (((payload[1] ?? 0) << 8) | (payload[0] ?? 0)) === crcEn13757(payload.subarray(2));

function behindCheck(payload: Uint8Array, options: { trace: Span[] | undefined; base: number }): ByteReader {
  const reader = new ByteReader(payload, options);
  reader.u16le("payload_check");
  return reader;
}
