import type { ByteReader, Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { readLongHeader, readShortHeader, type ApplicationHeader } from "../mbus/header.ts";
import type { RecordList } from "../mbus/records.ts";
import type { FormatCache } from "./compact.ts";
import {
  authenticationCode,
  blockBytes,
  decryptBlocks,
  deriveKey,
  derivation,
  vectorOfMode5,
  vectorOfMode7,
} from "./crypto.ts";
import type { Content, LayerContext, Protection } from "./layers.ts";
import type { WmbusIdentity } from "./link.ts";
import { qundisRecords } from "./qundis.ts";

interface TransportContext extends LayerContext {
  readonly readRecords: (
    bytes: Uint8Array,
    options: {
      isCompact: boolean;
      formats: FormatCache | undefined;
      trace: Span[] | undefined;
      base: number;
    },
  ) => RecordList;
}

const longHeaders: readonly number[] = [0x72, 0x73];
const noHeaders: readonly number[] = [0x78, 0x79];
const compactFrames: readonly number[] = [0x73, 0x79, 0x7b];

/**
 * Reads the transport layer behind its CI, decrypts what it protects and decodes the records.
 * Source: EN 13757-7, clause 7; OMS vol. 2, 7.2 and 9.3. Layout of the configuration: bits 8-12 security mode, 4-7 number of blocks of 16
 * bytes that are encrypted; in mode 7 one byte more: bits 0-3 key, 4-5 derivation. Plain text begins with 2F 2F.
 * Errors: ProtocolError "bad_password" when the key is missing or wrong, "unsupported" for other modes, "unexpected" when shorter.
 */
export function readTransport(ci: number, reader: ByteReader, context: TransportContext): Content {
  const transportAt = reader.position - 1;
  const start = reader.position;
  const header = noHeaders.includes(ci)
    ? undefined
    : longHeaders.includes(ci)
      ? readLongHeader(reader)
      : readShortHeader(reader);
  const meter = meterOf(header, context.meter, reader.bytes.subarray(start));
  const opened =
    header === undefined
      ? { bytes: reader.bytes.slice(reader.position), protection: context.protection, decrypted: 0 }
      : open(reader, { ...context, meter, header, transportAt });
  const trace: Span[] | undefined = context.trace && [];
  const base = reader.offset;
  const { readRecords, formats } = context;
  const list = readRecords(opened.bytes, { isCompact: compactFrames.includes(ci), formats, trace, base });
  // What stood encrypted on the air is named as what it became.
  for (const span of trace ?? [])
    context.trace?.push(
      span.offset < base + opened.decrypted ? { ...span, name: `Decrypted: ${span.name}` } : span,
    );
  const accessNumber = header?.accessNumber ?? context.accessNumber;
  return {
    ...list,
    records: list.records.flatMap((record) => [record, ...qundisRecords(meter.manufacturer, record)]),
    meter,
    protection: opened.protection,
    ...(accessNumber === undefined ? {} : { accessNumber }),
    ...(header === undefined ? {} : { status: header.status }),
    warnings: [...context.warnings, ...brokenWords(list)],
  };
}

const brokenWords = ({ broken }: RecordList): string[] =>
  broken === undefined ? [] : [`the records end early, the rest is left out: ${broken.message}`];

/** The long header names the meter in another order of bytes than the link layer does; without one the sender is the meter. Errors: none. */
export function meterOf(
  header: Partial<ApplicationHeader> | undefined,
  sender: WmbusIdentity,
  bytes: Uint8Array,
): WmbusIdentity {
  const { id, manufacturer, version, medium, mediumName } = header ?? {};
  if (id === undefined || manufacturer === undefined || version === undefined || medium === undefined)
    return sender;
  const address = Uint8Array.of(...bytes.subarray(4, 6), ...bytes.subarray(0, 4), ...bytes.subarray(6, 8));
  return { id, manufacturer, version, medium, mediumName: mediumName ?? "", address };
}

interface Opened {
  readonly bytes: Uint8Array;
  readonly protection: Protection;
  /** Bytes from the beginning that were encrypted. */
  readonly decrypted: number;
}

interface Sealed extends LayerContext {
  readonly header: Pick<ApplicationHeader, "accessNumber" | "configuration">;
  /** Where the transport layer begins, with its CI. */
  readonly transportAt: number;
}

function open(reader: ByteReader, sealed: Sealed): Opened {
  const { configuration } = sealed.header;
  const mode = (configuration >> 8) & 0x1f;
  if (mode !== 0 && mode !== 5 && mode !== 7)
    throw new ProtocolError("unsupported", `security mode ${String(mode)}`, {
      offset: reader.offset,
      detail: mode,
    });
  if (mode === 7) reader.u8("Configuration, extension");
  const sent = reader.bytes.slice(reader.position);
  const length = mode === 0 ? 0 : ((configuration >> 4) & 0x0f) * blockBytes;
  if (length === 0) return { bytes: sent, protection: sealed.protection, decrypted: 0 };
  if (sealed.key === undefined && isPlain(sent)) return { bytes: sent, protection: "removed", decrypted: 0 };
  if (sealed.key === undefined)
    throw new ProtocolError("bad_password", "the records are encrypted and no key is known", {
      offset: reader.offset,
      detail: mode,
    });
  if (sent.length < length)
    reader.fail(`${String(length)} encrypted bytes announced, ${String(sent.length)} there`);
  const { key, vector } =
    mode === 5 ? secretOfMode5(sealed, sealed.key) : secretOfMode7(reader, sealed, sealed.key);
  const plain = decryptBlocks(key, vector, sent.subarray(0, length));
  if (!isPlain(plain))
    throw new ProtocolError("bad_password", "the key does not open the records: 2F 2F is missing", {
      offset: reader.offset,
    });
  const bytes = Uint8Array.of(...plain, ...sent.subarray(length));
  return { bytes, protection: mode === 5 ? "mode 5" : "mode 7", decrypted: length };
}

const isPlain = (bytes: Uint8Array): boolean => bytes[0] === 0x2f && bytes[1] === 0x2f;

interface Secret {
  readonly key: Uint8Array;
  readonly vector: Uint8Array;
}

const secretOfMode5 = ({ meter, header }: Sealed, key: Uint8Array): Secret => ({
  key,
  vector: vectorOfMode5(meter.address, header.accessNumber),
});

/** Checks the code of the telegram before anything in it is believed. */
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
