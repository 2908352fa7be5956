import type { ByteReader } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import type { ApplicationHeader } from "../mbus/header.ts";
import {
  authenticationCode,
  blockBytes,
  decryptBlocks,
  deriveKey,
  derivation,
  vectorOfMode5,
  vectorOfMode7,
} from "./crypto.ts";
import type { LayerContext, Protection } from "./layers.ts";
import type { WmbusIdentity } from "./link.ts";
import { isDiehlScrambled, openDiehl, publicKeyOf } from "./makers/diehl.ts";

/** Decrypted records. */
export interface Opened {
  readonly bytes: Uint8Array;
  readonly protection: Protection;
  /** Bytes from the beginning that were encrypted. */
  readonly decrypted: number;
  readonly warnings: readonly string[];
  /** Nothing in the telegram proves that all blocks arrived as they were sent. */
  readonly isUnverified?: true;
}

/** Records after a header, with its data; without a header this layer protects nothing. */
export interface Sealed extends LayerContext {
  readonly header: Pick<ApplicationHeader, "accessNumber" | "configuration"> | undefined;
  /** Offset of the transport layer, at its CI. */
  readonly transportAt: number;
}

/**
 * Removes the protection of the transport layer from the rest in the reader. Source, layout and errors: as
 * `readTransport`.
 */
export function open(reader: ByteReader, sealed: Sealed): Opened {
  const { header, frame, protection } = sealed;
  const plain = { protection, decrypted: 0, warnings: [] };
  if (header === undefined) return { ...plain, bytes: reader.bytes.slice(reader.position) };
  if (isDiehlScrambled(frame)) return openScrambled(reader, sealed);
  const mode = modeOf(reader, header.configuration);
  const sent = reader.bytes.slice(reader.position);
  const length = mode === 0 ? 0 : ((header.configuration >> 4) & 0x0f) * blockBytes;
  if (length === 0) return { ...plain, bytes: sent };
  if (sealed.key === undefined && isPlain(sent)) return { ...plain, bytes: sent, protection: "removed" };
  const known = keyFor(reader, sealed, mode);
  if (sent.length < length)
    reader.fail(`${String(length)} encrypted bytes announced, ${String(sent.length)} there`);
  const { key, vector } =
    mode === 5
      ? secretOfMode5(sealed.meter, header.accessNumber, known.key)
      : secretOfMode7(reader, sealed, known.key);
  const opened = decryptBlocks(key, vector, sent.subarray(0, length));
  if (!isPlain(opened)) throw new ProtocolError("bad_password", known.failure, { offset: reader.offset });
  const bytes = Uint8Array.of(...opened, ...sent.subarray(length));
  const { protection: by, warnings } = known;
  return { bytes, protection: by, decrypted: length, warnings, ...(mode === 5 ? { isUnverified } : {}) };
}

const isUnverified = true as const;

function modeOf(reader: ByteReader, configuration: number): 0 | 5 | 7 {
  const mode = (configuration >> 8) & 0x1f;
  if (mode !== 0 && mode !== 5 && mode !== 7)
    throw new ProtocolError("unsupported", `security mode ${String(mode)}`, {
      offset: reader.offset,
      detail: mode,
    });
  if (mode === 7) reader.u8("configuration_extension");
  return mode;
}

/**
 * The key of the device, else the manufacturer's common key, which anyone could have used, so it proves
 * nothing.
 */
function keyFor(reader: ByteReader, { key, meter }: Sealed, mode: number) {
  if (key !== undefined) {
    const protection: Protection = mode === 5 ? "mode 5" : "mode 7";
    return { key, protection, warnings: [], failure: "the key does not open the records: 2F 2F is missing" };
  }
  const publicKey = mode === 5 ? publicKeyOf(meter.manufacturer) : undefined;
  if (publicKey === undefined)
    throw new ProtocolError("bad_password", "the records are encrypted and no key is known", {
      offset: reader.offset,
      detail: mode,
    });
  return {
    key: publicKey,
    protection: "none" as const,
    warnings: ["the key that opens the records is the maker's public one"],
    failure: "the records are encrypted, and the maker's public key does not open them",
  };
}

/** Records scrambled by Diehl meters: all bytes after the header. */
function openScrambled(reader: ByteReader, { frame, key }: Sealed): Opened {
  const opened = openDiehl(frame, key);
  if (opened === undefined)
    throw new ProtocolError(
      "bad_password",
      "the maker's scrambling is opened neither by the key nor by a public one",
      { offset: reader.offset },
    );
  const { bytes, isRemoved } = opened;
  const protection = isRemoved ? "removed" : "maker's";
  return { bytes, protection, decrypted: isRemoved ? 0 : bytes.length, warnings: [] };
}

const isPlain = (bytes: Uint8Array): boolean => bytes[0] === 0x2f && bytes[1] === 0x2f;

interface Secret {
  readonly key: Uint8Array;
  readonly vector: Uint8Array;
}

const secretOfMode5 = (meter: WmbusIdentity, accessNumber: number, key: Uint8Array): Secret => ({
  key,
  vector: vectorOfMode5(meter.address, accessNumber),
});

/** Verifies the authentication code of the telegram before its content is used. */
function secretOfMode7(reader: ByteReader, sealed: Sealed, key: Uint8Array): Secret {
  const { control, counter, code } = sealed.authentication ?? {};
  if (counter === undefined || control === undefined || code === undefined)
    throw new ProtocolError("unsupported", "security mode 7 without message counter and code", {
      offset: reader.offset,
    });
  const of = { counter, meterNumber: sealed.meter.address.subarray(2, 6) };
  const content = reader.bytes.subarray(sealed.transportAt);
  const wanted = authenticationCode(deriveKey(key, derivation.authentication, of), {
    control,
    counter,
    content,
  });
  if (!code.every((byte, at) => byte === wanted[at]))
    throw new ProtocolError("bad_password", "the authentication code is not that of the key", {
      offset: reader.offset,
    });
  return { key: deriveKey(key, derivation.encryption, of), vector: vectorOfMode7 };
}
