import { chosenKinds, retentionKinds, type RetentionKind } from "@metrum/contract";

/** Months that a company keeps what it has not decided about; null: for as long as the readings. */
export const defaultMonths: Readonly<Record<RetentionKind, number | null>> = {
  // They prove the readings, and so do the values that stood before.
  exchanges: null,
  revisions: null,
  quarantine: 12,
  tasks: 36,
  // Three years: security rule 6.
  audit: 36,
};

export const isFixed = (kind: RetentionKind): boolean => !chosenKinds.some((each) => each === kind);
export const kinds = retentionKinds;

/** Stored months: null is the default of the kind, 0 for as long as the readings. */
export function monthsOf(kind: RetentionKind, stored: number | null): number | null {
  if (stored === null || isFixed(kind)) return defaultMonths[kind];
  return stored === 0 ? null : stored;
}

/** Rows of before this second have expired: the begin of the day (UTC) that many months ago. Undefined: none has. */
export function expiredTo(months: number | null, now: number): number | undefined {
  if (months === null) return undefined;
  const date = new Date(now * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() - months, date.getUTCDate()];
  // The 31st of a month that has none is its last day.
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, last)) / 1000;
}
