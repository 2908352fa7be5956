import type { Span } from "../core/bytes.ts";
import type { Decoded } from "../core/reading.ts";
import { decodedValue, missingValues } from "../mbus/decode.ts";
import { statusWords } from "../mbus/header.ts";
import type { FormatCache } from "./compact.ts";
import { keyOf } from "./crypto.ts";
import { readWmbus, type WmbusTelegram } from "./telegram.ts";

/**
 * Decodes one telegram for people, for `metrum decode wmbus`.
 * `key`: AES-128 key of the meter in hexadecimal. `formats`: full frames seen before, for compact ones.
 * Source, layout and errors: as `readWmbus`; "bad_password" also for a key that is not 32 digits. Units: base
 * units, see `decodeMbus`.
 */
export function decodeWmbus(
  received: Uint8Array,
  options: { key?: string | undefined; formats?: FormatCache | undefined; trace?: Span[] | undefined } = {},
): Decoded {
  const { trace, formats } = options;
  const key = options.key === undefined ? undefined : keyOf(options.key);
  const telegram = readWmbus(received, { key, formats, trace });
  return {
    protocol: "wmbus",
    device: deviceOf(telegram),
    readings: telegram.records.map(decodedValue),
    warnings: warningsOf(telegram),
  };
}

function deviceOf(telegram: WmbusTelegram): Record<string, string | number> {
  const { meter, link, protection, format, accessNumber, status } = telegram;
  const { id, manufacturer, version, mediumName: medium } = meter;
  return {
    id,
    manufacturer,
    version,
    medium,
    ...(link.id === id ? {} : { radioModule: `${link.manufacturer} ${link.id}` }),
    ...(accessNumber === undefined ? {} : { accessNumber }),
    ...(status === undefined ? {} : { status }),
    protection,
    checkSums: format,
  };
}

function warningsOf({ status, meter, records, warnings }: WmbusTelegram): string[] {
  const words = statusWords(status ?? 0, meter).map((word) => `status: ${word}`);
  const isMakers = records.some(
    ({ kind, quantity }) => kind === "maker" && quantity === "Manufacturer specific",
  );
  const makers = isMakers ? ["data behind DIF 0F is the maker's own: kept raw and not decoded"] : [];
  return [...words, ...warnings, ...missingValues(records), ...makers];
}
