import { ByteReader } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { readLongHeader } from "../mbus/header.ts";
import { readAuthentication } from "./authentication.ts";
import { takeOutChecks } from "./blocks.ts";
import { readIdentity, readLinkHeader, type WmbusIdentity } from "./link.ts";
import { meterOf } from "./transport.ts";

/** CI fields behind which a long header names the meter. Source: EN 13757-7, table 2. */
const longHeaders: readonly number[] = [0x6f, 0x72, 0x73, 0x75, 0x7c, 0x8b];
const sessionBytes = 4;
const checkBytes = 2;

/**
 * The sender of a telegram, before decryption: the meter named by the transport layer, else the link layer
 * address.
 * Source: EN 13757-4, 12.5 and 12.6, EN 13757-7, clause 7. Layout: as `readLayers`; if the extended link
 * layer encrypts the rest, its sender is the meter, as meters that use it have no separate radio module.
 * Errors: ProtocolError as `takeOutChecks` and `readLinkHeader`; for a telegram truncated after the address
 * it is the sender's.
 */
export function wmbusSender(received: Uint8Array): WmbusIdentity {
  const reader = new ByteReader(takeOutChecks(received).bytes);
  const sender = readLinkHeader(reader);
  try {
    return innerMeter(reader, sender);
  } catch (error) {
    if (error instanceof ProtocolError) return sender;
    throw error;
  }
}

function innerMeter(reader: ByteReader, sender: WmbusIdentity): WmbusIdentity {
  const ci = reader.u8();
  if (longHeaders.includes(ci)) {
    const start = reader.position;
    const header = readLongHeader(reader);
    return meterOf(header, sender, reader.bytes.subarray(start));
  }
  if (ci === 0x90) {
    readAuthentication(reader);
    return innerMeter(reader, sender);
  }
  if (ci < 0x8c || ci > 0x8f) return sender;
  reader.take(2);
  const own = ci >= 0x8e ? readIdentity(reader) : sender;
  if (ci === 0x8c || ci === 0x8e) return innerMeter(reader, own);
  const session = reader.take(sessionBytes);
  if ((session[3] ?? 0) >> 5 !== 0) return own;
  reader.take(checkBytes);
  return innerMeter(reader, own);
}

const twoDigits = (value: number): string => value.toString(16).toUpperCase().padStart(2, "0");

/**
 * Default name of an unknown meter: manufacturer, number, version and medium, the last two in hexadecimal:
 * "KAM-76543210-1B-16". Errors: none.
 */
export const wmbusName = ({ manufacturer, id, version, medium }: WmbusIdentity): string =>
  `${manufacturer}-${id}-${twoDigits(version)}-${twoDigits(medium)}`;

/** Common spellings of a meter number, in lower case, the most specific first. Errors: none. */
export function wmbusNames(meter: WmbusIdentity): string[] {
  const { manufacturer, id } = meter;
  return [wmbusName(meter), `${manufacturer}-${id}`, `${manufacturer} ${id}`, `${manufacturer}${id}`, id].map(
    (name) => name.toLowerCase(),
  );
}
