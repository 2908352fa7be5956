import type { Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { leftOutWords, readWholeLines, type DataSet } from "../iec62056-21/dataLine.ts";
import { spanOf } from "../iec62056-21/show.ts";
import { bytesOf, textOf } from "../iec62056-21/text.ts";
import { crc16 } from "../modbus/crc.ts";

/** A parsed telegram. */
export interface P1Telegram {
  /** The text after the slash: manufacturer, baud rate and type; "" for bare lines. */
  readonly identification: string;
  readonly lines: readonly DataSet[];
  /** Lines that could not be read, in words. */
  readonly warnings: readonly string[];
  /** Whether the checksum is right; null without one (before version 4). */
  readonly crcValid: boolean | null;
  /** Length up to and with the end of the last line. */
  readonly length: number;
}

/** Maximum plausible length; telegrams of version 5 have 1 to 2 kB. */
export const maxTelegramBytes = 8192;

const end = /(?:^|\n|\))!([0-9A-Fa-f]{1,4})?[ ]*(?:\r?\n|\r?$)/;

/**
 * Takes one telegram apart.
 * Source: DSMR P1 companion standard 5.0.2, 5.2 and 6. Layout: `/` identification CR LF CR LF, data lines,
 * `!` (at the end of the last line too), CRC as four hexadecimal digits (fewer when a meter drops leading zeros, none before version 4), CR LF.
 * What stands before the slash is skipped, what stands behind the end is left alone. The CRC is CRC-16/ARC
 * over everything from `/` to `!`. A wrong CRC is reported, not thrown: `decodeP1` and the driver decide.
 * A line that is not `address(value)` is left out where a CRC proves that the meter has sent it so.
 * Errors: ProtocolError "unexpected": no slash, no end, such a line without a CRC, more than 8192 bytes.
 */
export function parseTelegram(bytes: Uint8Array, trace?: Span[]): P1Telegram {
  const text = textOf(bytes);
  const start = text.indexOf("/");
  if (start < 0) throw new ProtocolError("unexpected", "no telegram begins here", { offset: 0 });
  const found = end.exec(text.slice(start));
  if (!found) throw new ProtocolError("unexpected", "the telegram does not end", { offset: text.length });
  const mark = start + found.index + found[0].indexOf("!");
  const length = start + found.index + found[0].length;
  if (length - start > maxTelegramBytes)
    throw new ProtocolError("unexpected", "the telegram is too long", { offset: start + maxTelegramBytes });
  const headEnd = lineEnd(text, start);
  const identification = text.slice(start + 1, headEnd).trim();
  const read = readWholeLines(text.slice(headEnd, mark), headEnd);
  const [failure] = read.leftOut;
  if (failure && found[1] === undefined) throw failure;
  const lines = read.sets;
  const crcValid =
    found[1] === undefined
      ? null
      : Number.parseInt(found[1], 16) === crc16(bytes.subarray(start, mark + 1), 0);
  trace?.push(
    { offset: start, bytes: headEnd - start, name: "identification", value: identification },
    ...lines.map(spanOf),
    { offset: mark, bytes: length - mark, name: "end_and_crc", value: found[1] ?? null },
  );
  return { identification, lines, warnings: leftOutWords(read), crcValid, length };
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found < 0 ? text.length : found + 1;
}

/**
 * A telegram with its checksum, as a meter of version 4 or 5 sends it.
 * Source and layout: `parseTelegram`. Errors: none for plain text.
 */
export function encodeTelegram(identification: string, lines: readonly string[]): Uint8Array {
  const body = bytesOf(`/${identification}\r\n\r\n${lines.join("\r\n")}\r\n!`);
  const crc = crc16(body, 0).toString(16).toUpperCase().padStart(4, "0");
  return Uint8Array.from([...body, ...bytesOf(`${crc}\r\n`)]);
}
