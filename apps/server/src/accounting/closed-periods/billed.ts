import type { AccountingPointId, CompanyId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { billedRows, type BilledTotal } from "./closedStore.ts";

/**
 * Totals that are billed for exactly the days of a closed period, by point: those of its newest version. Null:
 * these days are no closed period, so their totals are the present ones. A point that the version does not
 * have is absent. The ids come from a query on accounting_point.
 */
export async function billedTotals(
  db: Db,
  companyId: CompanyId,
  {
    points,
    field = "main",
    ...days
  }: {
    readonly from_day: string;
    readonly to_day: string;
    readonly points: readonly AccountingPointId[];
    readonly field?: string;
  },
): Promise<ReadonlyMap<AccountingPointId, BilledTotal> | null> {
  const rows = await billedRows(db, companyId, { ...days, points, field });
  return rows && new Map(rows.map((row) => [row.point_id, row]));
}
