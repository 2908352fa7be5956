import { pointBounds } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import { record, type Ctx } from "#core";
import { countEvents, deleteEntered, insertEvent } from "./eventStore.ts";
import { lockPoint, subjectOf } from "./lock.ts";
import { momentOf } from "./moments.ts";

interface Added {
  readonly accounting_point_id: number;
  readonly kind: "verified" | "note";
  readonly ts: number;
  readonly note?: string | undefined;
  readonly verified_until?: number | undefined;
}

/** Adds a verification or a note. Problems: not_found, point_moment, point_limit. */
export async function addEvent(ctx: Ctx, { accounting_point_id, kind, ...given }: Added): Promise<number> {
  const pointId = await lockPoint(ctx, accounting_point_id);
  const ts = momentOf(ctx, given.ts, "ts");
  if ((await countEvents(ctx.db, pointId)) >= pointBounds.events)
    throw problem("point_limit", { params: { max: pointBounds.events } });
  const { note, verified_until } = given;
  const details = { ...(note ? { note } : {}), ...(verified_until === undefined ? {} : { verified_until }) };
  const id = await insertEvent(ctx.db, ctx.scope, { pointId, ts, kind, deviceId: null, details });
  await record(ctx, { action: "point.event", subject: subjectOf(pointId), after: { kind, ts, ...details } });
  return id;
}

/** Removes an event that a person has added. Problem: not_found. */
export async function removeEvent(
  ctx: Ctx,
  {
    accounting_point_id,
    event_number,
  }: { readonly accounting_point_id: number; readonly event_number: number },
): Promise<void> {
  const pointId = await lockPoint(ctx, accounting_point_id);
  const gone = await deleteEntered(ctx.db, pointId, event_number);
  if (!gone) throw problem("not_found");
  await record(ctx, { action: "point.event", subject: subjectOf(pointId), before: gone });
}
