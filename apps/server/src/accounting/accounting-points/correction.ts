import { problem } from "@metrum/contract";
import { isExclusionViolation, record, type Ctx } from "#core";
import { refuseBilled } from "./billed.ts";
import { pointsChanged } from "./changed.ts";
import * as store from "./deviceStore.ts";
import type { PointDevice } from "./deviceStore.ts";
import { fitting } from "./devices.ts";
import { moveEventsOf } from "./eventStore.ts";
import { lockPoint, subjectOf } from "./lock.ts";
import { momentOf, refuseMoment } from "./moments.ts";
import { readingsOf } from "./registers.ts";

export interface Correction {
  readonly accounting_point_id: number;
  readonly tie_number: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly opening?: Readonly<Record<string, number>> | undefined;
  readonly closing?: Readonly<Record<string, number>> | undefined;
  readonly act?: string | undefined;
  readonly note?: string | undefined;
}

/**
 * Corrects an interval of a device. Problems: not_found, point_moment, point_register_unknown,
 * point_register_taken, point_device_taken.
 */
export async function correctTie(ctx: Ctx, given: Correction): Promise<void> {
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  const tie = (await store.devicesOf(ctx.db, pointId)).find(({ id }) => id === given.tie_number);
  if (!tie) throw problem("not_found");
  const wanted = wantedOf(ctx, tie, given);
  if (wanted.to !== null && wanted.to <= wanted.from) refuseMoment(given.to === undefined ? "from" : "to");
  if (wanted.from < tie.from_ts || (wanted.to ?? Infinity) > (tie.to_ts ?? Infinity))
    await fitting(ctx, pointId, { ...wanted, device_id: tie.device_id, field: tie.field }, tie.id);
  await refuseBilled(ctx, pointId, changedSpan(tie, wanted));
  await store.changeTie(ctx.db, tie.id, wanted).catch((error: unknown) => {
    if (isExclusionViolation(error)) throw problem("point_register_taken", { params: { point: "…" } });
    throw error;
  });
  await moveEventsOf(ctx.db, pointId, tie.id, wanted);
  await record(ctx, {
    action: "point.correctTie",
    subject: subjectOf(pointId),
    before: shown(tie.from_ts, tie.to_ts, tie),
    after: shown(wanted.from, wanted.to, wanted),
  });
  pointsChanged(ctx);
}

/** An end that stays where it is, with its readings, changes nothing on its side. */
function changedSpan(
  tie: PointDevice,
  { from, to, opening, closing }: ReturnType<typeof wantedOf>,
): { readonly from: number; readonly to: number | null } {
  const same = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);
  const isBeginKept = from === tie.from_ts && same(opening, tie.opening);
  const isEndKept = to === tie.to_ts && same(closing, tie.closing);
  const [first, last] = [Math.min(from, tie.from_ts), Math.max(to ?? Infinity, tie.to_ts ?? Infinity)];
  const end = Math.min(to ?? Infinity, tie.to_ts ?? Infinity);
  return {
    from: isBeginKept && Number.isFinite(end) ? end - 1 : first,
    to: isEndKept ? Math.max(from, tie.from_ts) + 1 : Number.isFinite(last) ? last : null,
  };
}

function wantedOf(ctx: Ctx, tie: PointDevice, given: Correction) {
  const readings = (as: "opening" | "closing") =>
    given[as] === undefined
      ? tie[as]
      : readingsOf(tie.model_id, { main: tie.field, value: null, by: given[as], as });
  return {
    from: given.from === undefined ? tie.from_ts : momentOf(ctx, given.from, "from"),
    to: tie.to_ts === null || given.to === undefined ? tie.to_ts : momentOf(ctx, given.to, "to"),
    opening: readings("opening"),
    closing: readings("closing"),
    act: given.act ?? tie.act,
    note: given.note ?? tie.note,
  };
}

const shown = (
  from: number,
  to: number | null,
  { opening, closing, act }: Pick<PointDevice, "opening" | "closing" | "act">,
) => ({ from, to, opening, closing, act });
