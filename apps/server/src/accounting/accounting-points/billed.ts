import type { AccountingPointId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { refuseClosed } from "#accounting/closed-periods";
import { measuredSpans } from "./deviceStore.ts";
import { pointColumns } from "./store.ts";

/** Refuses a change of what is billed already. Problem: period_closed. */
export async function refuseBilled(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  pointId: AccountingPointId,
  { from, to }: { readonly from: number; readonly to: number | null },
): Promise<void> {
  const { timezone: zone } = await pointColumns(db, pointId);
  await refuseClosed(db, scope.companyId, { from, to, zone });
}

/** The same for all that these points have ever measured. Problem: period_closed. */
export async function refuseBilledPoints(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  ids: readonly AccountingPointId[],
): Promise<void> {
  for (const span of await measuredSpans(db, ids)) await refuseClosed(db, scope.companyId, span);
}
