import { parseObis } from "../iec62056-21/dataLine.ts";
import { ProtocolError } from "../core/errors.ts";
import { parseTelegram } from "./telegram.ts";

/**
 * OBIS codes of the meter number: 0-0:96.1.1 of the companion standard, then general objects of OBIS that
 * other meters may send.
 */
const codes: readonly string[] = ["96.1.1", "96.1.0", "42.0.0"];

/**
 * The number of the meter that sent a telegram, or undefined when it does not say.
 * Source: DSMR P1 companion standard 5.0.2, 6.12: the octets of 0-0:96.1.1 as hexadecimal of their
 * characters. That others write theirs as 0-0:96.1.0 or 0-0:42.0.0 (plain text) was not verified.
 * Errors: ProtocolError "checksum" for a wrong CRC, and as `parseTelegram`.
 */
export function p1Equipment(telegram: Uint8Array): string | undefined {
  const { lines, crcValid } = parseTelegram(telegram);
  if (crcValid === false) throw new ProtocolError("checksum", "the CRC of the telegram is wrong");
  for (const wanted of codes)
    for (const { address, values } of lines) {
      const { code, medium, channel } = parseObis(address);
      const text = values[0]?.value ?? "";
      if (code === wanted && medium === 0 && (channel ?? 0) === 0 && text !== "") return charactersOf(text);
    }
  return undefined;
}

/** Hexadecimal of printable characters decoded, anything else unchanged. */
function charactersOf(text: string): string {
  if (text.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(text)) return text;
  const characters = text.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return /^[\x21-\x7e]+$/.test(characters) ? characters : text;
}
