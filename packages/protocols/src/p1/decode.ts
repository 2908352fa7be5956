import type { Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Decoded } from "../core/reading.ts";
import { parseDataLines } from "../iec62056-21/dataLine.ts";
import { decodedValues, spanOf } from "../iec62056-21/show.ts";
import { textOf } from "../iec62056-21/text.ts";
import { parseTelegram, type P1Telegram } from "./telegram.ts";

/**
 * Decodes one telegram for people, or bare data lines without head and end.
 * Source and layout: `parseTelegram`. Each line gives a reading named by its OBIS code; a line with several
 * brackets gives one a bracket, all under the same name. `time` is the meter's local clock with its season:
 * `2020-04-26T22:33:25 S`. Units as the telegram writes them.
 * Errors: ProtocolError "checksum" when a CRC is there and wrong, "unexpected" when it is no telegram.
 */
export function decodeP1(bytes: Uint8Array, options: { trace?: Span[] | undefined } = {}): Decoded {
  const telegram = open(bytes, options.trace);
  if (telegram.crcValid === false)
    throw new ProtocolError("checksum", "the CRC of the telegram is wrong", { offset: telegram.length });
  const isBare = telegram.identification === "";
  return {
    protocol: "p1",
    device: isBare ? {} : { identification: telegram.identification },
    readings: telegram.lines.flatMap(decodedValues),
    warnings: [
      ...(telegram.crcValid === null ? ["no checksum"] : []),
      ...telegram.warnings,
      ...(telegram.length < bytes.length ? ["bytes behind the telegram"] : []),
    ],
  };
}

/** Text without any slash may be lines that were cut out of a telegram. */
function open(bytes: Uint8Array, trace: Span[] | undefined): P1Telegram {
  if (bytes.length === 0 || bytes.includes(0x2f)) return parseTelegram(bytes, trace);
  const lines = parseDataLines(textOf(bytes));
  if (lines.length === 0 || lines.some(({ address }) => !/^\d+-\d+:[\d.]+/.test(address)))
    throw new ProtocolError("unexpected", "no telegram begins here", { offset: 0 });
  trace?.push(...lines.map(spanOf));
  return { identification: "", lines, warnings: [], crcValid: null, length: bytes.length };
}
