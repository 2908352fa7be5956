import { toHex, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import type { Decoded, DecodedValue } from "../core/reading.ts";
import { decodeTelegram, type Telegram } from "./application.ts";
import { control, parseFrame } from "./frame.ts";
import { statusWords } from "./header.ts";
import type { MbusRecord } from "./records.ts";

/**
 * Decodes one answer of a meter as a whole long frame, for `metrum decode mbus`.
 * Source: EN 13757-2 (frame) and EN 13757-3 (data). Layout: `68 L L 68 C A CI data checksum 16`.
 * Units: base units (Wh, J, m^3, m^3/h, W, s, °C, K, V, A); `-` for dates and texts, empty for codes and
 * counts. Dates are the meter's clock; the Z behind a time stands for that clock, not for UTC. Reserved and
 * maker's codes are shown as such; BCD with hex digits is null, with a warning.
 * Errors: ProtocolError "checksum", "unexpected" (broken frame or record, with offset), "refused" (error
 * report of the meter), "unsupported" (a frame of the master, an unknown CI, encrypted records); then there
 * are no readings at all.
 */
export function decodeMbus(bytes: Uint8Array, options: { trace?: Span[] | undefined } = {}): Decoded {
  const { trace } = options;
  const frame = parseFrame(bytes, { trace });
  if (frame.kind !== "long")
    throw new ProtocolError("unsupported", "the frame carries no data", { offset: 0 });
  if ((frame.control & control.fromMaster) !== 0)
    throw new ProtocolError("unsupported", "a request of the master carries no readings", { offset: 4 });
  const telegram = decodeTelegram(frame.ci, frame.data, { trace, base: frame.dataOffset });
  trace?.sort((a, b) => a.offset - b.offset);
  return {
    protocol: "mbus",
    device: { address: frame.address, ...deviceOf(telegram) },
    readings: telegram.records.map(decodedValue),
    warnings: warningsOf(telegram),
  };
}

function deviceOf({ header }: Telegram): Record<string, string | number> {
  if (header === undefined) return {};
  const { id, manufacturer, version, mediumName: medium, accessNumber, status } = header;
  return {
    ...(id === undefined ? {} : { id }),
    ...(manufacturer === undefined ? {} : { manufacturer }),
    ...(version === undefined ? {} : { version }),
    ...(medium === undefined ? {} : { medium }),
    accessNumber,
    status,
  };
}

/** One record in the shape that all decoders print; modifiers are part of the name. */
export function decodedValue(record: MbusRecord): DecodedValue {
  const { quantity, modifiers, unit, value, storage, tariff, subunit } = record;
  const name = [quantity, ...modifiers].join(", ");
  return { name, value, unit, storage, tariff, subunit, function: record.function, raw: toHex(record.raw) };
}

/** Reasons of the values that records name and that are none, for people. Errors: none. */
export const missingValues = (records: readonly MbusRecord[]): string[] =>
  records.flatMap(({ error, doubtful }, at) => {
    if (error === undefined && doubtful === undefined) return [];
    const number = doubtful === undefined ? "" : `, no value (${String(doubtful)})`;
    return [`record ${String(at + 1)}: ${error ?? "digits are not decimal"}${number}`];
  });

function warningsOf(telegram: Telegram): string[] {
  const status = statusWords(telegram.header?.status ?? 0, telegram.header).map((word) => `status: ${word}`);
  return [
    ...status,
    ...missingValues(telegram.records),
    ...(telegram.isMoreFollowing ? ["more telegrams follow"] : []),
  ];
}
