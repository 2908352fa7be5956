import { chosenKinds, retentionKinds, type RetentionKind } from "@metrum/contract/headend";

/** Default retention in months; null: as long as the readings. */
export const defaultMonths: Readonly<Record<RetentionKind, number | null>> = {
  // Evidence for the readings, as are replaced values.
  exchanges: null,
  revisions: null,
  quarantine: 12,
  tasks: 36,
  // Three years: security rule 6.
  audit: 36,
};

export const isFixed = (kind: RetentionKind): boolean => !chosenKinds.some((each) => each === kind);
export const kinds = retentionKinds;

/** Stored months: null is the default of the kind, 0 is as long as the readings. */
export function monthsOf(kind: RetentionKind, stored: number | null): number | null {
  if (stored === null || isFixed(kind)) return defaultMonths[kind];
  return stored === 0 ? null : stored;
}

/** Rows before this second have expired: the start of the day (UTC) that many months ago. Undefined: none. */
export function expiredTo(months: number | null, now: number): number | undefined {
  if (months === null) return undefined;
  const date = new Date(now * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() - months, date.getUTCDate()];
  // If the month is too short for the 31st, its last day.
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, last)) / 1000;
}
