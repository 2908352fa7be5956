import * as store from "../records/index.ts";
import { isSameContent, problem } from "@metrum/contract/core";
import { isExclusionViolation, record, type Ctx } from "#core";
import type { AccountingPointId } from "@metrum/vocabulary";
import {
  confirmedBy,
  fitting,
  refuseDoubted,
  type AmountBefore,
  type Confirmation,
  type Given,
  type Replacement,
} from "../ties/index.ts";
import {
  lockPoint,
  momentOf,
  moveEventsOf,
  pointsChanged,
  readingsOf,
  refuseBilled,
  refuseMoment,
  subjectOf,
  type PointDevice,
} from "../records/index.ts";
import { changedGaps, recountGaps } from "./correctedGaps.ts";

export interface Correction extends Pick<Replacement, "meterless" | "meterless_amount"> {
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
 * Corrects an interval of a device, with the amounts of the time without a meter beside it. Problems: not_found,
 * point_moment, point_register_unknown, point_register_taken, point_device_taken, period_closed, point_load_unknown,
 * wrong_input, point_reading_doubted.
 */
export async function correctTie(
  ctx: Ctx,
  given: Correction & Confirmation & { readonly reason: string },
): Promise<void> {
  const confirmed = confirmedBy(given);
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  const { tie, wanted, amounts } = await applyCorrection(ctx, pointId, given);
  if (confirmed === undefined) await refuseDoubtedEnds(ctx, tie, wanted);
  await record(ctx, {
    action: "point.correctTie",
    subject: subjectOf(pointId),
    before: { ...shown(tie.from_ts, tie.to_ts, tie), ...shownAmounts(amounts.before) },
    after: {
      ...shown(wanted.from, wanted.to, wanted),
      ...shownAmounts(amounts.after),
      reason: given.reason,
      ...(confirmed === undefined ? {} : { confirmed }),
    },
  });
  pointsChanged(ctx);
}

/** An end that neither moves nor gets other readings is not judged anew. Problem: point_reading_doubted. */
async function refuseDoubtedEnds(ctx: Ctx, tie: PointDevice, wanted: Wanted): Promise<void> {
  const { from, to, opening, closing } = wanted;
  const of = { deviceId: tie.device_id, modelId: tie.model_id, main: tie.field };
  const ends: Given[] = [];
  if (from !== tie.from_ts || !isSameContent(opening, tie.opening))
    ends.push({ ...of, side: "opening", at: from, given: opening });
  if (to !== null && (to !== tie.to_ts || !isSameContent(closing, tie.closing)))
    ends.push({ ...of, side: "closing", at: to, given: closing });
  await refuseDoubted(ctx, ends);
}

/** Stores a correction of a locked point. Returns what it has changed. */
export async function applyCorrection(ctx: Ctx, pointId: AccountingPointId, given: Correction) {
  const all = await store.devicesOf(ctx.db, pointId);
  const tie = all.find(({ id }) => id === given.tie_number);
  if (!tie) throw problem("not_found");
  // An end that is not there yet cannot be corrected: it is the call that ends an interval.
  if (tie.to_ts === null && given.to !== undefined) refuseMoment("to");
  const wanted = wantedOf(ctx, tie, given);
  if (wanted.to !== null && wanted.to <= wanted.from) refuseMoment(given.to === undefined ? "from" : "to");
  if (wanted.from < tie.from_ts || (wanted.to ?? Infinity) > (tie.to_ts ?? Infinity))
    await fitting(ctx, pointId, { ...wanted, device_id: tie.device_id, field: tie.field }, tie.id);
  const spans = changedSides(tie, wanted);
  for (const span of spans) await refuseBilled(ctx, pointId, span);
  await store.changeTie(ctx.db, tie.id, wanted).catch((error: unknown) => {
    if (isExclusionViolation(error)) throw problem("point_register_taken", { params: { point: "…" } });
    throw error;
  });
  const amounts = await recountGaps(ctx, pointId, { gaps: changedGaps(all, tie, wanted), said: given });
  await moveEventsOf(ctx.db, pointId, tie.id, wanted);
  return { tie, wanted, amounts, spans: [...spans, ...amounts.before, ...amounts.after] };
}

interface Side {
  readonly from: number;
  readonly to: number | null;
  readonly field: "from" | "to" | "opening" | "closing";
}

/** An end that stays where it is, with its readings, changes nothing on its side. */
function changedSides(tie: PointDevice, { from, to, opening, closing }: Wanted): Side[] {
  const sides: Side[] = [];
  if (from !== tie.from_ts || !isSameContent(opening, tie.opening))
    sides.push({
      from: Math.min(from, tie.from_ts),
      to: Math.max(from, tie.from_ts) + 1,
      field: from === tie.from_ts ? "opening" : "from",
    });
  if (to !== tie.to_ts || !isSameContent(closing, tie.closing)) {
    const end = Math.min(to ?? Infinity, tie.to_ts ?? Infinity);
    const last = Math.max(to ?? Infinity, tie.to_ts ?? Infinity);
    sides.push({
      from: Number.isFinite(end) ? end - 1 : Math.max(from, tie.from_ts),
      to: Number.isFinite(last) ? last : null,
      field: to === tie.to_ts ? "closing" : "to",
    });
  }
  return sides;
}

const shownAmounts = (amounts: readonly AmountBefore[]) =>
  amounts.length === 0 ? {} : { meterless_amount: amounts.map(({ amount }) => amount) };

type Wanted = ReturnType<typeof wantedOf>;

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
