import { formatDateTime } from "#lib/format";
import { agoText, type Ages } from "./ago.ts";
import type { Words } from "./types.ts";

/** Cell of a time by its age; the time itself is its tooltip, and what is copied. */
export function aged<Row>(timeOf: (row: Row) => number | null) {
  const value = (row: Row, { zone }: Pick<Words, "zone">) => {
    const at = timeOf(row);
    return at === null ? null : formatDateTime(at, zone);
  };
  const cell = (row: Row, context: Ages & Pick<Words, "zone">) => (
    <span title={value(row, context) ?? undefined}>{agoText(timeOf(row), context)}</span>
  );
  return { value, cell };
}
