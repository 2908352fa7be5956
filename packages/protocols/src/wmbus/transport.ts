import { named } from "../core/spans.ts";
import { ByteReader, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { readLongHeader, readShortHeader, type ApplicationHeader } from "../mbus/header.ts";
import type { MbusRecord, RecordList } from "../mbus/records.ts";
import type { FormatCache } from "./compact.ts";
import type { Content, LayerContext } from "./layers.ts";
import type { WmbusIdentity } from "./link.ts";
import { open } from "./security.ts";
import { makersLayout } from "./makers/index.ts";
import type { MakersContent, MakersLayout } from "./makers/layout.ts";
import { qundisRecords } from "./makers/qundis.ts";

/** How the records of a telegram are read. */
export interface RecordOptions {
  readonly isCompact: boolean;
  readonly formats: FormatCache | undefined;
  readonly trace: Span[] | undefined;
  readonly base: number;
  /** Bytes from the beginning that nothing proves to be as they were sent. */
  readonly unverified: number;
}

interface TransportContext extends LayerContext {
  readonly readRecords: (bytes: Uint8Array, options: RecordOptions) => RecordList;
}

const longHeaders: readonly number[] = [0x72, 0x73];
const noHeaders: readonly number[] = [0x78, 0x79];
const compactFrames: readonly number[] = [0x73, 0x79, 0x7b];

/**
 * Reads the transport layer behind its CI, decrypts what it protects and decodes the records.
 * Source: EN 13757-7, clause 7; OMS vol. 2, 7.2 and 9.3. Layout of the configuration: bits 8-12 security
 * mode, 4-7 number of blocks of 16 bytes that are encrypted; in mode 7 one byte more: bits 0-3 key, 4-5
 * derivation. Plain text begins with 2F 2F. Makers' layouts in the place of the records or behind DIF 0F are
 * read where they are known (`makersLayouts`).
 * Errors: ProtocolError "bad_password" when the key is missing or wrong, "unsupported" for other modes,
 * "unexpected" when shorter.
 */
export function readTransport(ci: number, reader: ByteReader, context: TransportContext): Content {
  const transportAt = reader.position - 1;
  const start = reader.position;
  const header = readHeader(ci, reader);
  const meter = meterOf(header, context.meter, reader.bytes.subarray(start));
  const opened = open(reader, { ...context, meter, header, transportAt });
  const trace: Span[] | undefined = context.trace && [];
  const base = reader.offset;
  const { readRecords, formats } = context;
  const isCompact = compactFrames.includes(ci);
  const unverified = opened.isUnverified === true ? opened.decrypted : 0;
  const own = makersLayout(meter, "records");
  const read = own?.read(new ByteReader(opened.bytes, { trace, base }), frameOf(context));
  const list: RecordList = read
    ? { records: read.records, isMoreFollowing: false }
    : readRecords(opened.bytes, { isCompact, formats, trace, base, unverified });
  const added = behindRecords(list.records, meter, context);
  // Encrypted bytes are named by their plain text.
  for (const span of trace ?? [])
    context.trace?.push(
      span.offset < base + opened.decrypted
        ? { ...span, name: named(span.name, { isDecrypted: true }) }
        : span,
    );
  const accessNumber = header?.accessNumber ?? context.accessNumber;
  return {
    ...list,
    records: added.records,
    meter,
    protection: opened.protection,
    ...(accessNumber === undefined ? {} : { accessNumber }),
    ...(header === undefined ? {} : { status: header.status }),
    warnings: [
      ...context.warnings,
      ...opened.warnings,
      ...(read?.warnings ?? []),
      ...added.warnings,
      ...brokenWords(list),
    ],
  };
}

function readHeader(ci: number, reader: ByteReader) {
  if (noHeaders.includes(ci)) return undefined;
  return longHeaders.includes(ci) ? readLongHeader(reader) : readShortHeader(reader);
}

const frameOf = ({ frame, key }: LayerContext) => ({ frame, ciAt: -1, key });

/**
 * The records with decoded manufacturer data, if its layout is known; decoded data is not kept raw as well.
 */
function behindRecords(
  records: readonly MbusRecord[],
  meter: WmbusIdentity,
  context: LayerContext,
): MakersContent {
  const layout = makersLayout(meter, "data");
  const warnings: string[] = [];
  const all = records.flatMap((record) => {
    if (record.kind === "maker" && layout && record.raw.length > 0) {
      const read = readAdded(layout, record.raw, context);
      warnings.push(...read.warnings);
      return read.records.length > 0 ? read.records : [record];
    }
    const inside = qundisRecords(meter.manufacturer, record);
    if (inside === undefined)
      warnings.push("the maker's block of values is not read: it is encrypted, or its layout is not known");
    return [record, ...(inside ?? [])];
  });
  return { records: all, warnings };
}

/** Manufacturer data after standard records; if it ends early, only it is lost. */
function readAdded(layout: MakersLayout, raw: Uint8Array, context: LayerContext): MakersContent {
  try {
    return layout.read(new ByteReader(raw), frameOf(context));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { records: [], warnings: [`the maker's data behind the records is not read: ${error.message}`] };
  }
}

const brokenWords = ({ broken }: RecordList): string[] =>
  broken === undefined ? [] : [`the records end early, the rest is left out: ${broken.message}`];

/**
 * The long header has another byte order than the link layer; without one the sender is the meter. Errors:
 * none.
 */
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
