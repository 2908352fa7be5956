import type { FieldName, ResourceKey } from "@metrum/vocabulary";
import type { Span } from "../core/bytes.ts";
import type { UplinkDriver } from "../core/driver.ts";
import { ProtocolError } from "../core/errors.ts";
import { undecoded } from "../core/spans.ts";
import { withSerial, withWarnings, type Reading } from "../core/reading.ts";
import { withControls } from "../iec62056-21/show.ts";
import { encodeMeter } from "./encode.ts";
import { p1Equipment } from "./equipment.ts";
import { channelReadings, electricityReadings } from "./readings.ts";
import { parseTelegram } from "./telegram.ts";

/** Properties that distinguish readers of a P1 port. */
export interface P1Options {
  /** The meter itself (the default), or the first meter of that resource on its M-Bus channels. */
  readonly reads?: "meter" | Extract<ResourceKey, "gas" | "heat" | "water">;
  /**
   * Standard time of the meter against UTC if the device has none set; summer time (S in the time stamp) adds
   * an hour. Default 60, that of Central Europe.
   */
  readonly utcOffsetMinutes?: number;
  /** Identification of the simulated meter. */
  readonly identification?: string;
  readonly fields?: readonly FieldName[];
}

/**
 * Driver of a P1 customer port with pushed telegrams, one telegram per payload; the
 * port number has no meaning.
 * Source: DSMR P1 companion standard 5.0.2 (the Netherlands), with the lines that Belgium, Luxembourg and
 * Sweden add.
 * Units: the vocabulary's (heat in Gcal); counters are message type 1, states 2, both stamped by the meter.
 * The simulator speaks as the electricity meter only. Errors: ProtocolError "checksum" for a wrong CRC (a
 * telegram without one is accepted), "unexpected" when it is not a telegram or has no known value.
 */
export function p1(options: P1Options = {}): UplinkDriver {
  const { reads = "meter", utcOffsetMinutes = 60, identification = "MTR5\\2SIM-1", fields = [] } = options;
  return {
    kind: "uplink",
    protocol: "p1",
    decode: (payload, _fport, device) =>
      readingsOf(payload, { reads, utcOffsetMinutes: device.utcOffsetMinutes ?? utcOffsetMinutes }),
    encode: (device, state, at) => ({
      fport: 1,
      payload: encodeMeter(
        { identification, fields, utcOffsetMinutes: device.utcOffsetMinutes ?? utcOffsetMinutes },
        { ...device, state, at },
      ),
    }),
    explain: explainTelegram,
  };
}

function readingsOf(
  payload: Uint8Array,
  of: { reads: NonNullable<P1Options["reads"]>; utcOffsetMinutes: number },
): Reading[] {
  const telegram = parseTelegram(payload);
  if (telegram.crcValid === false) throw new ProtocolError("checksum", "the CRC of the telegram is wrong");
  const { warnings } = telegram;
  if (of.reads !== "meter")
    return withWarnings(channelReadings(telegram.lines, { ...of, resource: of.reads }), warnings);
  const readings = electricityReadings(telegram.lines, of.utcOffsetMinutes);
  if (readings.length === 0) throw new ProtocolError("unexpected", "the telegram holds no value of ours");
  return withSerial(withWarnings(readings, warnings), p1Equipment(payload));
}

/** Names every byte of a telegram, lines with their ends; other bytes become one span. */
export function explainTelegram(payload: Uint8Array): Span[] {
  const trace: Span[] = [];
  try {
    parseTelegram(payload, trace);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return payload.length === 0
      ? []
      : [{ offset: 0, bytes: payload.length, name: undecoded(error), value: null }];
  }
  return linesOf(withControls(payload, trace));
}

/** The end of a line belongs to the text before it. */
function linesOf(spans: readonly Span[]): Span[] {
  const lines: Span[] = [];
  for (const span of spans) {
    const last = lines.at(-1);
    if (last && span.name === "cr_lf") lines.splice(-1, 1, { ...last, bytes: last.bytes + span.bytes });
    else lines.push(span);
  }
  return lines;
}
