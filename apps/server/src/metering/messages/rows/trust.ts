import { sources, statuses, type FieldName } from "@metrum/vocabulary";

/** Origin and status of a value; `received_at` (epoch seconds) identifies its exchange. */
export interface ValueOrigin {
  readonly status: number;
  readonly source: number;
  readonly received_at: number;
}

/** Origins of the values that differ from their row; null without any. Spelt as in the column. */
export type ByField<Origin = ValueOrigin> = Readonly<Partial<Record<string, Origin>>>;

/** Fields of a row needed to judge one of its values. */
export interface JudgedRow {
  readonly status: number;
  readonly source: number;
  readonly by_field: ByField<Pick<ValueOrigin, "status" | "source">> | null;
}

/**
 * Suspect and rejected values are excluded from differences, days and totals until a user has checked them.
 */
export function isTrusted(status: number): boolean {
  return status !== statuses.suspect.id && status !== statuses.rejected.id;
}

/**
 * No latest value, and none that the next value of the meter is compared with: rejected, or entered by a person and not
 * confirmed.
 */
export const isLeftOut = ({ status, source }: Pick<ValueOrigin, "status" | "source">): boolean =>
  status === statuses.rejected.id || (status === statuses.suspect.id && source === sources.manual);

/** Status of one value: its own if it differs, else that of the row. */
export function statusOfValue(row: Pick<JudgedRow, "status" | "by_field">, field: string): number {
  return row.by_field?.[field]?.status ?? row.status;
}

/** Source of one value: its own if it differs, else that of the row. */
export function sourceOfValue(row: Pick<JudgedRow, "source" | "by_field">, field: string): number {
  return row.by_field?.[field]?.source ?? row.source;
}

/** Receipt of one value, epoch seconds: with the device it identifies the exchange that brought it. */
export function receivedAtOfValue(
  row: { readonly receivedAt: number; readonly by_field: ByField | null },
  field: string,
): number {
  return row.by_field?.[field]?.received_at ?? row.receivedAt;
}

/** The values in the order of the set; suspect or rejected ones are null, like missing ones. */
export function trustedValues(row: {
  readonly status: number;
  readonly by_field: ByField<Pick<ValueOrigin, "status">> | null;
  readonly set: { readonly fields: readonly FieldName[] };
  readonly v: readonly (number | null)[];
}): readonly (number | null)[] {
  const { status, by_field, set, v } = row;
  if (by_field === null) return isTrusted(status) ? v : v.map(() => null);
  return v.map((value, at) => {
    const name = set.fields[at];
    return name !== undefined && isTrusted(by_field[name]?.status ?? status) ? value : null;
  });
}

/** Whether all values of a row are as trusted as the row. */
export const isWhollyTrusted = ({ status, by_field }: Pick<JudgedRow, "status" | "by_field">): boolean =>
  by_field === null && isTrusted(status);

const ranks = new Map(Object.values(statuses).map(({ id, rank }) => [id as number, rank as number]));

/** Rank of a calculated value below a measured one. */
export const calculatedIsLessBy = 5;

/** Rank of a value against another of the same key. */
export function worthOf(value: { readonly status: number; readonly source: number }): number {
  return (ranks.get(value.status) ?? 0) - (value.source === sources.calculated ? calculatedIsLessBy : 0);
}

/** Statuses by severity, highest first. */
const attention: readonly number[] = [
  statuses.suspect.id,
  statuses.rejected.id,
  statuses.estimated.id,
  statuses.late.id,
  statuses.measured.id,
  statuses.manual.id,
  statuses.corrected.id,
];

/** The most severe of these statuses; undefined without any. */
export function worstStatus(given: readonly number[]): number | undefined {
  return attention.find((status) => given.includes(status));
}
