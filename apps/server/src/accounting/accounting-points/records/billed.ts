import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import {
  closedProblem,
  closedSpans,
  holdPeriods,
  refuseClosed,
  type PointSpan,
} from "#accounting/closed-periods";
import { measuredSpans, spansWithRatioOfDevice, zonesOfPoints } from "./deviceStore.ts";
import { pointColumns } from "./store.ts";

type Acting = Pick<Ctx, "db" | "scope">;

/** Time of a change: `to` exclusive, null: without end; `field`: the one of the request that says it. */
interface ChangedTime {
  readonly from: number;
  readonly to: number | null;
  readonly field?: string | undefined;
}

/** Refuses a change of what is billed already. Problem: period_closed, with the field. */
export async function refuseBilled(
  { db, scope }: Acting,
  pointId: AccountingPointId,
  { from, to, field }: ChangedTime,
): Promise<void> {
  const { timezone: zone } = await pointColumns(db, pointId);
  await refuseClosed(db, scope.companyId, { from, to, zone }, field);
}

/** A change in the zone of its point. */
export interface ChangedSpan extends PointSpan {
  /** The field of the request that says it. */
  readonly field?: string | undefined;
}

/** Refuses the same for several points, in a query a zone. Problem: period_closed, with the field of the first. */
export async function refuseBilledSpans({ db, scope }: Acting, spans: readonly ChangedSpan[]): Promise<void> {
  if (spans.length === 0) return;
  await holdPeriods(db, scope);
  for (const zone of new Set(spans.map((span) => span.zone))) {
    const closed = await closedSpans(db, scope.companyId, { from: 0, to: null, zone });
    if (closed.length === 0) return;
    for (const span of spans) {
      if (span.zone !== zone) continue;
      const met = closed.find(({ from, to }) => to > span.from && from < (span.to ?? Infinity));
      if (met) throw closedProblem(met, span.field);
    }
  }
}

/** The same for all that these points have ever measured. Problem: period_closed. */
export async function refuseBilledPoints(
  { db, scope }: Acting,
  ids: readonly AccountingPointId[],
): Promise<void> {
  for (const span of await measuredSpans(db, ids)) await refuseClosed(db, scope.companyId, span);
}

/** The same for changes of points that came from a query. Problem: period_closed, with the field of the first. */
export async function refuseBilledChanges(
  ctx: Acting,
  changes: readonly (ChangedTime & { readonly pointId: AccountingPointId })[],
): Promise<void> {
  const zones = await zonesOfPoints(ctx.db, [...new Set(changes.map(({ pointId }) => pointId))]);
  const spans = changes.flatMap(({ pointId, ...change }) => {
    const zone = zones.get(pointId);
    return zone === undefined ? [] : [{ ...change, zone }];
  });
  await refuseBilledSpans(ctx, spans);
}

/**
 * Refuses another ratio of a device from a moment on, where points that it measures have no ratio of their own.
 * Problem: period_closed, with the field.
 */
export async function refuseBilledRatio(
  { db, scope }: Acting,
  { deviceId, from, field }: { readonly deviceId: DeviceId; readonly from: number; readonly field: string },
): Promise<void> {
  for (const span of await spansWithRatioOfDevice(db, { deviceId, from }))
    await refuseClosed(db, scope.companyId, span, field);
}
