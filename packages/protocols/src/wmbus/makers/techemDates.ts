import type { MeterStamp } from "../../mbus/dataTypes.ts";

const daySec = 86_400;

/** The last day of the previous year, in the meter's own time: the default due date. Errors: none. */
export function dueDateBefore(local: number): number {
  const year = new Date(local * 1000).getUTCFullYear();
  return Date.UTC(year, 0, 1) / 1000 - daySec;
}

/**
 * A due date as Techem meters pack it; null for an invalid date. Source: as `periodDay`.
 * Layout: day in bits 0 to 4, month in bits 5 to 8, year since 2000 in bits 9 to 15, low byte first. Errors:
 * none.
 */
export function techemDate(bytes: Uint8Array): MeterStamp | null {
  const word = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8);
  const [day, month, year] = [word & 0x1f, (word >> 5) & 0x0f, word >> 9];
  const at = new Date(Date.UTC(2000 + year, month - 1, day));
  const isDate = at.getUTCDate() === day && at.getUTCMonth() === month - 1;
  return isDate ? { local: at.getTime() / 1000, summerHours: 0, dateOnly: true } : null;
}

/**
 * Whether a due date is valid, or was never set (00 00, FF FF); anything else means another layout. Errors:
 * none.
 */
export const isTechemDate = (bytes: Uint8Array): boolean =>
  techemDate(bytes) !== null || [0x00, 0xff].some((unset) => bytes.every((byte) => byte === unset));

/** The reverse of `techemDate`; `local` in seconds. Errors: none. */
export function packTechemDate(local: number): number {
  const date = new Date(local * 1000);
  return date.getUTCDate() | ((date.getUTCMonth() + 1) << 5) | ((date.getUTCFullYear() - 2000) << 9);
}

/**
 * Day and month of this period as Techem meters pack them. Source: the public reader wmbusmeters (drivers
 * fhkvdataiii, mkradio3).
 * Layout: day in bits 4 to 8, month in bits 9 to 12. Errors: none.
 */
export function periodDay(local: number): number {
  const date = new Date(local * 1000);
  return (date.getUTCDate() << 4) | ((date.getUTCMonth() + 1) << 9);
}
