/** A zone as the browser formats it. Fixed offsets are not known to every browser: those are UTC, moved by hand. */
interface Zone {
  readonly format: Intl.DateTimeFormat;
  readonly shiftSec: number;
}

const zones = new Map<string, Zone>();

function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const fixed = /^UTC([+-])(\d{1,2})(?::(\d{2}))?$/.exec(name);
  const hours = Number(fixed?.[2] ?? 0) + Number(fixed?.[3] ?? 0) / 60;
  const made = {
    format: formatIn(fixed ? "UTC" : name),
    shiftSec: (fixed?.[1] === "-" ? -1 : 1) * hours * 3600,
  };
  zones.set(name, made);
  return made;
}

/** A zone the browser does not know is UTC. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const fields = {
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone: "UTC" });
  }
}

function fieldsOf(at: number, zone: string) {
  const { format, shiftSec } = zoneOf(zone);
  const parts = format.formatToParts((at + shiftSec) * 1000);
  const found = new Map(parts.map(({ type, value }) => [type, value]));
  const text = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? "";
  return {
    year: text("year"),
    month: text("month"),
    day: text("day"),
    hour: text("hour"),
    minute: text("minute"),
    second: text("second"),
  };
}

/** 14.11.2026 */
export function formatDate(at: number, zone: string): string {
  const { day, month, year } = fieldsOf(at, zone);
  return `${day}.${month}.${year}`;
}

/** 14.11.2026 08:30 */
export function formatDateTime(at: number, zone: string): string {
  const { hour, minute } = fieldsOf(at, zone);
  return `${formatDate(at, zone)} ${hour}:${minute}`;
}

/** 08:30, 14.11.2026: lists, tooltips and the clock. */
export function formatTimeDate(at: number, zone: string): string {
  const { hour, minute } = fieldsOf(at, zone);
  return `${hour}:${minute}, ${formatDate(at, zone)}`;
}

/** 19.11 08:30: where the year is known from the column. */
export function formatShort(at: number, zone: string): string {
  const { day, month, hour, minute } = fieldsOf(at, zone);
  return `${day}.${month} ${hour}:${minute}`;
}

/** 08:30 */
export function formatTime(at: number, zone: string): string {
  const { hour, minute } = fieldsOf(at, zone);
  return `${hour}:${minute}`;
}

/** 08:30:07 */
export function formatClock(at: number, zone: string): string {
  const { second } = fieldsOf(at, zone);
  return `${formatTime(at, zone)}:${second}`;
}

/** Hours and minutes ahead of UTC at that instant: UTC+8, UTC+5:30, UTC−3. */
export function formatOffset(at: number, zone: string): string {
  const { year, month, day, hour, minute, second } = fieldsOf(at, zone);
  const face = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second) / 1000;
  const minutes = Math.round((face - Math.floor(at)) / 60);
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "\u2212" : "+"}${String(Math.floor(size / 60))}${rest}`;
}
