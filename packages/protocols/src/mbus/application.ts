import { ByteReader, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { readFixedData } from "./fixedData.ts";
import { asMakerMeans } from "./makers.ts";
import {
  readLongHeader,
  readShortHeader,
  securityModeOf,
  throwApplicationError,
  type ApplicationHeader,
} from "./header.ts";
import { decodeRecords, type RecordList } from "./records.ts";

/** User data of an answer. `header` is absent with CI 78. */
export interface Telegram extends RecordList {
  readonly header?: ApplicationHeader;
}

/**
 * Decodes the user data of a meter's answer by its CI field.
 * Source: EN 13757-3, clause 5. Layout by CI: 72 long header, 7A short, 78 none, then records; 73 fixed data
 * structure; 70 error; 76 and 77 as 72 and 73 with the high byte first.
 * Errors: ProtocolError "refused" for an error report, "unsupported" for another CI (data for a meter,
 * maker's own) and for encrypted records, "unexpected" for data that ends early.
 */
export function decodeTelegram(
  ci: number,
  data: Uint8Array,
  options: { trace?: Span[] | undefined; base?: number } = {},
): Telegram {
  const base = options.base ?? 0;
  const reader = new ByteReader(data, options);
  const isHighFirst = ci === 0x76 || ci === 0x77;
  switch (ci) {
    case 0x70:
      return throwApplicationError(data, { trace: options.trace, base });
    case 0x72:
    case 0x76:
      return withRecords(reader, readLongHeader(reader, isHighFirst), isHighFirst);
    case 0x7a:
      return withRecords(reader, readShortHeader(reader), false);
    case 0x78:
      return decodeRest(reader, false);
    case 0x73:
    case 0x77: {
      const fixed = readFixedData(reader, isHighFirst);
      if (!reader.done) reader.fail("bytes behind the fixed data structure");
      return { ...fixed, isMoreFollowing: false };
    }
    default:
      throw new ProtocolError("unsupported", `CI ${ci.toString(16)} is no answer that can be read`, {
        offset: Math.max(base - 1, 0),
      });
  }
}

/**
 * Security mode of a header. Only the long one may contain the signature of an old meter instead; meters that
 * send the high byte first predate encryption.
 */
const modeOf = ({ id, configuration }: ApplicationHeader, dataBytes: number): number =>
  id === undefined ? (configuration >> 8) & 0x1f : securityModeOf(configuration, dataBytes);

function withRecords(reader: ByteReader, header: ApplicationHeader, isHighFirst: boolean): Telegram {
  const securityMode = isHighFirst ? 0 : modeOf(header, reader.remaining);
  if (securityMode !== 0)
    throw new ProtocolError("unsupported", `records are encrypted, security mode ${String(securityMode)}`, {
      offset: reader.offset,
      detail: securityMode,
    });
  const list = decodeRest(reader, isHighFirst);
  return { header, ...list, records: asMakerMeans(list.records, header.manufacturer) };
}

function decodeRest(reader: ByteReader, isHighFirst: boolean): RecordList {
  const base = reader.offset;
  return decodeRecords(reader.take(reader.remaining), { trace: reader.spans, base, isHighFirst });
}
