import { formatDateTime, formatTime } from "#lib/format";

/** 14.11.2026 for 2026-11-14. */
export const dateOf = (day: string): string => day.split("-").toReversed().join(".");

/** 14.11 for 2026-11-14. */
export const shortDateOf = (day: string): string => dateOf(day).slice(0, 5);

/** 14 for 2026-11-14. */
export const dayOf = (day: string): string => String(Number(day.slice(8)));

/** 14.11.2026 10:30 – 11:00 in a zone; a half-hour that ends the day ends at 24:00. */
export function halfHourOf(from: number, zone: string): string {
  const end = formatTime(from + 1800, zone);
  return `${formatDateTime(from, zone)} – ${end === "00:00" ? "24:00" : end}`;
}

/** 11.2026 for 2026-11-14. */
export const monthOf = (day: string): string => dateOf(day).slice(3);
