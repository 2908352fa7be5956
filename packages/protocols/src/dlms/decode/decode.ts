import { ByteReader, fromHex, type Span } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Decoded } from "../../core/reading.ts";
import { readApdu } from "../apdu/apdu.ts";
import { decipherApdu, protectedTextSpan } from "../apdu/apduCiphered.ts";
import { apduReadings } from "../apdu/apduReadings.ts";
import { hasLlc } from "../link/hdlc.ts";
import type { Apdu, CipheredApdu } from "../types.ts";

export interface DlmsDecodeOptions {
  /**
   * Hexadecimal: encryption key, or with the suites 0 and 1 encryption key and authentication key one behind
   * the other.
   */
  readonly key?: string;
  /** Title of the sender, hexadecimal, for protected messages that do not carry it. */
  readonly systemTitle?: string;
  readonly trace?: Span[] | undefined;
}

interface Opened {
  readonly apdu: Apdu;
  readonly warnings: readonly string[];
  readonly device: Decoded["device"];
}

/**
 * Decodes one message, for `metrum decode dlms-apdu`. Leading link headers `E6 E6 00` and `E6 E7 00` are
 * skipped.
 * Source: Green Book 9.5; pushed lists as in `pushLists.ts`. Layout: tag 1 byte, then by service.
 * Units: those of a pushed list; otherwise values are raw, as scaler and unit stand in another attribute. A
 * refusal of the device is a reading `result` or `exception`. A protected message is opened when there is a
 * key; without an authentication key the tag is not checked, which is a warning.
 * Errors: ProtocolError "unexpected", "unsupported" (with offset), "bad_password" (key does not fit).
 */
export function decodeDlmsApdu(bytes: Uint8Array, options: DlmsDecodeOptions = {}): Decoded {
  return decodeMessage("dlms-apdu", new ByteReader(bytes, { trace: options.trace }), options);
}

/** A message that was carried by another protocol; see `decodeDlmsApdu`. */
export function decodeMessage(protocol: string, reader: ByteReader, options: DlmsDecodeOptions): Decoded {
  if (hasLlc(reader.bytes)) reader.take(3, "llc");
  const outer = readApdu(reader);
  const left = reader.remaining === 0 ? [] : [`${String(reader.remaining)} bytes after the message`];
  reader.take(reader.remaining, "after_message");
  const { apdu, warnings, device } = opened(outer, options);
  const read = apduReadings(apdu);
  options.trace?.sort((a, b) => a.offset - b.offset);
  return {
    protocol,
    device: { message: apdu.type, ...device, ...read.device },
    readings: read.readings,
    warnings: [...left, ...warnings],
  };
}

function opened(apdu: Apdu, options: DlmsDecodeOptions): Opened {
  switch (apdu.type) {
    case "glo":
    case "ded":
    case "generalGlo":
    case "generalDed":
      return openProtected(apdu, options);
    default:
      return { apdu, warnings: [], device: {} };
  }
}

function openProtected(apdu: CipheredApdu, options: DlmsDecodeOptions): Opened {
  if (apdu.security.isEncrypted && options.key === undefined)
    return { apdu, warnings: ["encrypted: the key is not given"], device: {} };
  const { plain, isChecked } = plainOf(apdu, options);
  const about = apduReadings(apdu);
  const at = options.trace?.findIndex(({ name }) => name === protectedTextSpan) ?? -1;
  const [span] = at < 0 ? [] : (options.trace?.splice(at, 1) ?? []);
  // The cipher changes no positions, so the names of the plain bytes fit the bytes on the line.
  const reader = new ByteReader(plain, { trace: options.trace, base: span?.offset ?? 0 });
  const inner = readApdu(reader);
  if (!reader.done) reader.fail(`${String(reader.remaining)} bytes after the protected message`);
  return {
    apdu: inner,
    warnings: isChecked ? [] : ["the authentication tag was not checked: no authentication key"],
    device: { ...about.device, invocationCounter: apdu.counter, securitySuite: apdu.security.suite },
  };
}

/** Decrypts; the tag is checked when there is one and the key for it is known. */
function plainOf(apdu: CipheredApdu, options: DlmsDecodeOptions): { plain: Uint8Array; isChecked: boolean } {
  const { security } = apdu;
  const keys = fromHex(options.key ?? "");
  const isPair = security.suite !== 2 && keys.length === 32;
  const context = {
    encryptionKey: isPair ? keys.subarray(0, 16) : keys,
    authenticationKey: isPair ? keys.subarray(16) : null,
    systemTitle: titleOf(apdu, options.systemTitle),
  };
  const isChecked = !security.isAuthenticated || context.authenticationKey !== null;
  if (isChecked) return { plain: decipherApdu(apdu, context), isChecked };
  const content = apdu.content.subarray(0, -12);
  if (!security.isEncrypted) return { plain: content, isChecked };
  const unchecked: CipheredApdu = { ...apdu, content, security: { ...security, isAuthenticated: false } };
  return { plain: decipherApdu(unchecked, context), isChecked };
}

function titleOf({ systemTitle, security }: CipheredApdu, given: string | undefined): Uint8Array {
  if (systemTitle !== null && systemTitle.length > 0) return systemTitle;
  if (given !== undefined) return fromHex(given);
  if (!security.isEncrypted) return new Uint8Array(8);
  throw new ProtocolError("unsupported", "the message does not carry the system title of its sender");
}
