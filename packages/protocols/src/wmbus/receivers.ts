import { fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";

/** A telegram as delivered by a receiver. */
export interface ReceivedTelegram {
  readonly telegram: Uint8Array;
  /** Field strength in dBm, if the receiver reports it. */
  readonly rssi?: number;
}

/**
 * One line of a receiver; undefined for empty lines, comments and other output.
 * Source: rtl-wmbus (README: `mode;crc ok;3 of 6 ok;time;current rssi;packet rssi;link id;0xHEX`), culfw (`b`
 * telegram in format A, `bY` in format B, four digits of LQI and RSSI behind it when configured to), plain
 * hexadecimal with | _ or spaces between bytes.
 * Layout: whatever check sums a receiver leaves are found by `takeOutChecks`. Units: dBm, of CUL by the data
 * sheet of the CC1101.
 * Errors: ProtocolError "checksum" for a line that rtl-wmbus itself calls damaged, "unexpected" for broken
 * hexadecimal.
 */
export function telegramOfLine(line: string): ReceivedTelegram | undefined {
  const text = line.trim();
  if (/^[CTS]\d?;/.test(text)) return rtlWmbus(text);
  if (/^bY?[0-9a-f]/i.test(text) && text.startsWith("b")) return cul(text);
  const hex = text
    .replace(/^telegram=/, "")
    .replaceAll(/[|_\s]/g, "")
    .replace(/^0x/i, "");
  return /^[0-9a-f]+$/i.test(hex) ? { telegram: fromHex(hex) } : undefined;
}

function rtlWmbus(text: string): ReceivedTelegram {
  const columns = text.split(";");
  const [, crc, coding, , current] = columns;
  if (crc !== "1" || coding !== "1")
    throw new ProtocolError("checksum", "the receiver says that the telegram is damaged");
  const rssi = Number(current);
  const telegram = fromHex((columns.at(-1) ?? "").replace(/^0x/i, ""));
  // rtl-wmbus reports arbitrary positive levels unless calibrated: only a negative number is dBm.
  return Number.isFinite(rssi) && rssi < 0 ? { telegram, rssi } : { telegram };
}

/**
 * The telegram may be followed by link quality, and the level register of the CC1101: half decibels, offset
 * 74.
 */
function cul(text: string): ReceivedTelegram {
  const isFormatB = text.startsWith("bY");
  // The first digit of a plain telegram can also be b: its length is then right.
  if (!isFormatB && text.length % 2 === 0 && Number.parseInt(text.slice(0, 2), 16) === text.length / 2 - 1)
    return { telegram: fromHex(text) };
  const bytes = fromHex(text.slice(isFormatB ? 2 : 1));
  const counted = (bytes[0] ?? 0) + 1;
  const whole = isFormatB ? counted : counted + 2 + 2 * Math.ceil((counted - 10) / 16);
  if (bytes.length !== whole + 2) return { telegram: bytes };
  return { telegram: bytes.subarray(0, whole), rssi: (((bytes.at(-1) ?? 0) ^ 0x80) - 0x80) / 2 - 74 };
}

/** Splits the output of a receiver into telegrams. */
export interface Receiver {
  /** Complete telegrams, in order; the rest is kept until more arrives. Never throws. */
  readonly receive: (bytes: Uint8Array) => ReceivedTelegram[];
}

/** Maximum line length: 256 bytes in hexadecimal with checksums, and the prefix of rtl-wmbus. */
const longestLine = 2048;

/**
 * Telegrams in the text of a receiver that writes one a line; bytes in any portions. Source and layout:
 * `telegramOfLine`, lines end with LF or CR. Errors: none; damaged lines, other talk and lines of more than
 * 2048 characters are dropped.
 */
export function lineReceiver(): Receiver {
  let rest = "";
  let isTooLong = false;
  return {
    receive(bytes) {
      const parts = (rest + String.fromCharCode(...bytes)).split(/[\r\n]+/);
      rest = parts.pop() ?? "";
      const whole = isTooLong ? parts.slice(1) : parts;
      if (parts.length > 0) isTooLong = false;
      if (rest.length > longestLine) {
        rest = "";
        isTooLong = true;
      }
      return whole.flatMap((line) => (line.length > longestLine ? [] : (heardIn(line) ?? [])));
    },
  };
}

function heardIn(line: string): ReceivedTelegram | undefined {
  try {
    return telegramOfLine(line);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

const startOfFrame = 0xa5;
const radioLink = 2;
const telegramReceived = 3;
const longestRest = 1024;

/**
 * Telegrams in the stream of an iM871A or iM170A stick; bytes in any portions, as a serial line gives them.
 * Source: WMBus_HCI_Spec of IMST, rev. 1.6. Layout of a message: A5, flags and endpoint 1 (bit 5 time, 6
 * RSSI, 7 check sum follow the payload), message 1, length 1, payload, time 4, RSSI 1, check sum 2. Telegrams
 * are message 3 of endpoint 2; their payload begins at C: L is the length of the message.
 * Units: dBm, on the line through -100 dBm at 45 and -20 dBm at 205 (data sheet of the Si1002, figure 7-3).
 * Errors: none; what is damaged or no telegram is dropped.
 */
export function stickReceiver(): Receiver {
  let rest: Uint8Array = new Uint8Array(0);
  return {
    receive(bytes) {
      const stream = Uint8Array.of(...rest, ...bytes);
      const found: ReceivedTelegram[] = [];
      let at = 0;
      while (at < stream.length) {
        const message = messageAt(stream, at);
        if (message === "more") break;
        if (message === undefined) {
          at += 1;
          continue;
        }
        if (message.telegram) found.push(message.telegram);
        at += message.length;
      }
      rest = stream.slice(Math.max(at, stream.length - longestRest));
      return found;
    },
  };
}

function messageAt(
  stream: Uint8Array,
  at: number,
): { length: number; telegram?: ReceivedTelegram } | "more" | undefined {
  if (stream[at] !== startOfFrame) return undefined;
  const [, flags, kind, size] = stream.subarray(at, at + 4);
  if (flags === undefined || kind === undefined || size === undefined) return "more";
  const endpoint = flags & 0x0f;
  if ((flags & 0x10) !== 0 || endpoint < 1 || endpoint > 4) return undefined;
  const parts = trailerOf(flags);
  const length = 4 + size + parts.time + parts.level + parts.check;
  if (at + length > stream.length) return "more";
  const message = stream.subarray(at, at + length);
  if (parts.check > 0 && !isRight(message)) return undefined;
  if (endpoint !== radioLink || kind !== telegramReceived) return { length };
  const telegram = Uint8Array.of(size, ...message.subarray(4, 4 + size));
  const level = parts.level > 0 ? message[4 + size + parts.time] : undefined;
  return { length, telegram: level === undefined ? { telegram } : { telegram, rssi: decibels(level) } };
}

/** Bytes after the payload, in this order. */
const trailerOf = (flags: number) => ({
  time: ((flags >> 5) & 1) * 4,
  level: (flags >> 6) & 1,
  check: ((flags >> 7) & 1) * 2,
});

const decibels = (level: number): number => Math.min((level - 45) / 2 - 100, 0);

/** CRC-16 of X.25 over everything after A5, low byte first. */
function isRight(message: Uint8Array): boolean {
  let crc = 0xffff;
  for (const byte of message.subarray(1, -2)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) !== 0 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  const found = ((message.at(-1) ?? 0) << 8) | (message.at(-2) ?? 0);
  return found === (crc ^ 0xffff);
}
