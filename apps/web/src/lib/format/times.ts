import { offsetAt, toLocal } from "./zone.ts";

const two = (value: number) => String(value).padStart(2, "0");

function fieldsOf(at: number, zone: string) {
  const local = new Date(toLocal(at, zone) * 1000);
  return {
    year: String(local.getUTCFullYear()),
    month: two(local.getUTCMonth() + 1),
    day: two(local.getUTCDate()),
    hour: two(local.getUTCHours()),
    minute: two(local.getUTCMinutes()),
    second: two(local.getUTCSeconds()),
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

/** 19.11 08:30: where the column implies the year. */
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
  const minutes = Math.round(offsetAt(at, zone) / 60);
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `UTC${minutes < 0 ? "\u2212" : "+"}${String(Math.floor(size / 60))}${rest}`;
}
