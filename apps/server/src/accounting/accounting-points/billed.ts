import type { AccountingPointId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { refuseClosed, type PointSpan } from "#accounting/closed-periods";
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

/** Refuses the same for several points by their zones, each span once. Problem: period_closed. */
export async function refuseBilledSpans(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  spans: readonly PointSpan[],
): Promise<void> {
  const distinct = new Map(
    spans.map((span) => [`${String(span.from)} ${String(span.to)} ${span.zone}`, span]),
  );
  for (const span of distinct.values()) await refuseClosed(db, scope.companyId, span);
}

/** The same for all that these points have ever measured. Problem: period_closed. */
export async function refuseBilledPoints(
  { db, scope }: Pick<Ctx, "db" | "scope">,
  ids: readonly AccountingPointId[],
): Promise<void> {
  for (const span of await measuredSpans(db, ids)) await refuseClosed(db, scope.companyId, span);
}
