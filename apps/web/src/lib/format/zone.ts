/**
 * Instants are epoch seconds, UTC; "local" is a local time encoded as if it were UTC, so that the UTC
 * functions of Date can be used on it. A zone is an IANA name, or a fixed offset such as UTC+8 or UTC+5:30,
 * which not every browser supports.
 */
export const day = 86_400;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number | null>>();

function fixedOffset(zone: string): number | undefined {
  if (zone === "UTC") return 0;
  const found = /^UTC([+-])(\d{1,2})(?::(\d{2}))?$/.exec(zone);
  if (!found) return undefined;
  const size = Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60;
  return found[1] === "-" ? -size : size;
}

/** A zone unknown to the browser is UTC. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const fields = {
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone: "UTC" });
  }
}

function askIntl(at: number, zone: string): number {
  const format = formats.get(zone) ?? formatIn(zone);
  formats.set(zone, format);
  const part: Record<string, number> = {};
  for (const each of format.formatToParts(at * 1000)) part[each.type] = Number(each.value);
  const { year = 1970, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, date, hour, minute, second) / 1000 - at;
}

/**
 * Seconds east of UTC at an instant. Cached by day, unless clocks change on it: ten thousand rows must not
 * each call Intl.
 */
export function offsetAt(at: number, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed;
  let known = offsets.get(zone);
  if (!known) {
    known = new Map();
    offsets.set(zone, known);
  }
  const bucket = Math.floor(at / day);
  let offset = known.get(bucket);
  if (offset === undefined) {
    const first = askIntl(bucket * day, zone);
    offset = first === askIntl((bucket + 1) * day, zone) ? first : null;
    known.set(bucket, offset);
  }
  return offset ?? askIntl(Math.floor(at), zone);
}

export function toLocal(at: number, zone: string): number {
  return at + offsetAt(at, zone);
}
