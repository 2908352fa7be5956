import { named } from "../core/spans.ts";
import type { TraceName } from "@metrum/vocabulary";
import type { ByteReader, Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { throwApplicationError } from "../mbus/header.ts";
import { decodeRecords, type RecordList } from "../mbus/records.ts";
import { readAuthentication, type Authentication } from "./authentication.ts";
import { decodeCompact, formatOf, type FormatCache } from "./compact.ts";
import { readExtendedLink } from "./extendedLink.ts";
import type { WmbusIdentity } from "./link.ts";
import { makersLayout } from "./makers/index.ts";
import { soundRecords } from "./damage.ts";
import { readTransport, type RecordOptions } from "./transport.ts";

/**
 * Protection of the records on the air. `removed`: protection is announced, but the receiver has removed it.
 */
export type Protection = "none" | "removed" | "mode 5" | "mode 7" | "extended link layer" | "maker's";

/** Contents of the layers of a telegram. */
export interface Content extends RecordList {
  readonly meter: WmbusIdentity;
  readonly protection: Protection;
  readonly accessNumber?: number;
  readonly status?: number;
  readonly warnings: readonly string[];
}

/** State while layers are removed, from the outside in. */
export interface LayerContext {
  readonly trace: Span[] | undefined;
  /** The telegram from L on, without the radio checksums. */
  readonly frame: Uint8Array;
  readonly key: Uint8Array | undefined;
  readonly formats: FormatCache | undefined;
  /** The sender, until an inner layer names the meter. */
  readonly meter: WmbusIdentity;
  readonly protection: Protection;
  readonly authentication?: Authentication;
  readonly accessNumber?: number;
  readonly warnings: readonly string[];
}

/** Names of the fields that identify the next layer. Source: EN 13757-7, table 2. */
const ciNames: Readonly<Record<number, readonly [name: string, code: TraceName]>> = {
  0x6e: ["error, short header", "ci_error_short_header"],
  0x6f: ["error, long header", "ci_error_long_header"],
  0x70: ["error", "ci_error"],
  0x72: ["records, long header", "ci_records_long_header"],
  0x73: ["compact frame, long header", "ci_compact_frame_long_header"],
  0x74: ["alarm, short header", "ci_alarm_short_header"],
  0x75: ["alarm, long header", "ci_alarm_long_header"],
  0x78: ["records, no header", "ci_records_no_header"],
  0x79: ["compact frame, no header", "ci_compact_frame_no_header"],
  0x7a: ["records, short header", "ci_records_short_header"],
  0x7b: ["compact frame, short header", "ci_compact_frame_short_header"],
  0x7c: ["COSEM, long header", "ci_cosem_long_header"],
  0x7d: ["COSEM, short header", "ci_cosem_short_header"],
  0x8a: ["transport layer only, short header", "ci_transport_layer_only_short_header"],
  0x8b: ["transport layer only, long header", "ci_transport_layer_only_long_header"],
  0x8c: ["extended link layer, short", "ci_extended_link_layer_short"],
  0x8d: ["extended link layer with session", "ci_extended_link_layer_with_session"],
  0x8e: ["extended link layer with address", "ci_extended_link_layer_with_address"],
  0x8f: ["extended link layer with address and session", "ci_extended_link_layer_with_address_and_session"],
  0x90: ["authentication and fragmentation layer", "ci_authentication_and_fragmentation_layer"],
};

const payloadCheckBytes = 2;
const transportCis: readonly number[] = [0x72, 0x73, 0x78, 0x79, 0x7a, 0x7b];
const isMakers = (ci: number): boolean => ci >= 0xa0 && ci <= 0xb7;

/**
 * Takes off layer after layer, and decodes the records inside.
 * Source: EN 13757-7, table 2 (CI fields), EN 13757-4, 12.6 (extended link layer), OMS vol. 2, clauses 7 to
 * 9.
 * Layout: each layer begins with its CI: 8C to 8F extended link layer, 90 authentication, then 72, 7A, 78
 * records with long, short and no header, 73, 7B, 79 the same as compact frames; A0 to B7 are the
 * manufacturer's: read where its layout is known (`makersLayouts`), else they stay raw, with a warning.
 * Errors: ProtocolError "bad_password" when the key is missing or wrong, "unsupported" for other CI fields,
 * security modes, fragments and for a compact frame without its full frame, "refused" for the meter's report
 * of an error, "unexpected" and "checksum" for broken bytes.
 */
export function readLayers(reader: ByteReader, context: LayerContext): Content {
  const at = reader.offset;
  const start = reader.position;
  const ci = reader.u8();
  reader.noteSince(start, "ci_layer", {
    word: isMakers(ci) ? "ci_maker_s_own" : (ciNames[ci]?.[1] ?? "unknown"),
  });
  if (ci === 0x70) return throwApplicationError(rest(reader), { trace: context.trace, base: at });
  if (transportCis.includes(ci)) return readTransport(ci, reader, { ...context, readRecords });
  if (ci >= 0x8c && ci <= 0x8f) return readInnerLink(ci, reader, context);
  if (ci === 0x90) return readLayers(reader, { ...context, authentication: readAuthentication(reader) });
  if (isMakers(ci)) return makersContent(ci, reader, context);
  const meaning = ciNames[ci]?.[0] ?? "not an answer that can be read";
  throw new ProtocolError("unsupported", `CI ${ci.toString(16)}: ${meaning}`, { offset: at, detail: ci });
}

function readInnerLink(ci: number, reader: ByteReader, context: LayerContext): Content {
  const inner = readExtendedLink(ci, reader, context);
  const sealedFrom = inner.reader.offset - payloadCheckBytes;
  const content = readLayers(inner.reader, inner.context);
  if (inner.context.protection === "extended link layer") markDecrypted(context.trace, sealedFrom);
  return content;
}

/** Names encrypted bytes by their plain text. */
function markDecrypted(trace: Span[] | undefined, from: number): void {
  trace?.forEach((span, at) => {
    if (span.offset >= from) trace[at] = { ...span, name: named(span.name, { isDecrypted: true }) };
  });
}

const rest = (reader: ByteReader): Uint8Array => reader.take(reader.remaining);

function readRecords(bytes: Uint8Array, options: RecordOptions): RecordList {
  if (options.isCompact) return decodeCompact(bytes, options);
  const { formats, trace, base, unverified } = options;
  const read = decodeRecords(bytes, { trace, base, isLenient: true, withPlaces: unverified > 0 });
  const list = soundRecords(read, { encrypted: unverified, total: bytes.length });
  const format = formats && list.broken === undefined ? formatOf(bytes) : undefined;
  if (format) formats?.learn(format);
  return list;
}

/**
 * Content after a manufacturer specific CI: decoded by its layout, else one raw record, which no model uses
 * as a reading.
 */
function makersContent(ci: number, reader: ByteReader, context: LayerContext): Content {
  const { meter, accessNumber, frame, key } = context;
  const layout = makersLayout(meter, "ci");
  if (layout === undefined) return rawContent(ci, reader, context);
  const ciAt = reader.bytes === frame ? reader.position - 1 : -1;
  const { records, warnings, isProtected } = layout.read(reader, { frame, ciAt, key });
  return {
    meter,
    protection: isProtected ? "maker's" : context.protection,
    ...(accessNumber === undefined ? {} : { accessNumber }),
    records,
    isMoreFollowing: false,
    warnings: [...context.warnings, ...warnings],
  };
}

function rawContent(ci: number, reader: ByteReader, context: LayerContext): Content {
  const raw = reader.take(reader.remaining, "makers_data");
  const position = { function: "instantaneous", storage: 0, tariff: 0, subunit: 0 } as const;
  const quantity = `Maker's own data, CI ${ci.toString(16).toUpperCase()}`;
  const record = { kind: "maker", ...position, quantity, unit: "", value: null, modifiers: [], raw } as const;
  const warning = `CI ${ci.toString(16).toUpperCase()} is the maker's own: the content is kept raw and not decoded`;
  const { meter, protection, accessNumber } = context;
  return {
    meter,
    protection,
    ...(accessNumber === undefined ? {} : { accessNumber }),
    records: [record],
    isMoreFollowing: false,
    warnings: [...context.warnings, warning],
  };
}
