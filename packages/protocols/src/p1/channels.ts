import { numberOf, parseObis, type DataSet, type DataValue } from "../iec62056-21/dataLine.ts";
import { parseStamp, toEpoch } from "../iec62056-21/stamps.ts";

/** A meter connected to the electricity meter (gas, water, heat or a slave electricity meter). */
export interface P1Channel {
  readonly channel: number;
  /**
   * M-Bus device type: 2 electricity, 3 gas, 4 heat, 6 warm water, 7 water, 10 and 12 heat or cold; null if
   * absent.
   */
  readonly type: number | null;
  readonly id: string | null;
  readonly value: number | null;
  readonly unit: string;
  /** When the value was read, epoch seconds UTC; null when the meter has read nothing yet. */
  readonly at: number | null;
}

/**
 * Meters on the M-Bus channels of a telegram, by channel.
 * Source: DSMR P1 companion standard 5.0.2, 6.12 (0-n:24.1.0 type, 96.1.0 number, 24.2.1 value) and, before
 * version 4, 24.3.0 with the unit in the sixth bracket and the value in the seventh; Belgian telegrams number
 * with 96.1.1 and give gas in 24.2.3.
 * Units: those of the telegram (m3, GJ, kWh). A value stamped in 1970 was never read: null. Errors: none.
 */
export function channelsOf(lines: readonly DataSet[], utcOffsetMinutes: number): P1Channel[] {
  const channels = new Map<number, P1Channel>();
  for (const line of lines) {
    const { medium, channel, code } = parseObis(line.address);
    if (medium !== 0 || channel === undefined || channel === 0 || channel > 9) continue;
    const known = channels.get(channel) ?? emptyChannel(channel);
    const more = partOf(code, line, utcOffsetMinutes);
    if (more) channels.set(channel, { ...known, ...more });
  }
  return [...channels.values()].toSorted((a, b) => a.channel - b.channel);
}

const emptyChannel = (channel: number): P1Channel => ({
  channel,
  type: null,
  id: null,
  value: null,
  unit: "",
  at: null,
});

function partOf(code: string, { values }: DataSet, utcOffsetMinutes: number): Partial<P1Channel> | undefined {
  const [first, second] = values;
  switch (code) {
    case "24.1.0":
      return { type: numberOf(first?.value) };
    case "96.1.0":
    case "96.1.1":
      return { id: first?.value ?? null };
    case "24.2.1":
    case "24.2.3":
      return valueOf(first?.value, { ...second, utcOffsetMinutes });
    case "24.3.0":
      return valueOf(first?.value, { ...values[6], ...unitOf(values[5]), utcOffsetMinutes });
    default:
      return undefined;
  }
}

const unitOf = (bracket: DataValue | undefined) => ({ unit: bracket?.value ?? "" });

function valueOf(
  time: string | null | undefined,
  of: { value?: string | null; unit?: string; utcOffsetMinutes: number },
): Partial<P1Channel> {
  const stamp = parseStamp(time ?? "");
  const at = stamp ? toEpoch(stamp, of.utcOffsetMinutes) : null;
  const isNeverRead = at === null || at < 86_400;
  return {
    value: isNeverRead ? null : numberOf(of.value),
    unit: of.unit ?? "",
    at: isNeverRead ? null : at,
  };
}
