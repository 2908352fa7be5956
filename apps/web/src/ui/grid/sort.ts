export type SortValue = string | number | boolean | null | undefined;

const isNull = (value: SortValue): value is null | undefined =>
  value === null || value === undefined || (typeof value === "number" && Number.isNaN(value));

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function compareKnown(a: string | number | boolean, b: string | number | boolean): number {
  if (typeof a === "string" || typeof b === "string") return collator.compare(String(a), String(b));
  return Number(a) - Number(b);
}

/** Ascending with missing values at the end; descending is the reverse, so they come first. */
export function compareValues(a: SortValue, b: SortValue): number {
  if (isNull(a)) return isNull(b) ? 0 : 1;
  return isNull(b) ? -1 : compareKnown(a, b);
}

/** A sorted copy. Equal rows keep their order in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  value: (row: Row) => SortValue,
  desc: boolean,
): readonly Row[] {
  const sign = desc ? -1 : 1;
  return [...rows].sort((a, b) => sign * compareValues(value(a), value(b)));
}
