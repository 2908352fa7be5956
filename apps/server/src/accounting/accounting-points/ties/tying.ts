import * as store from "../records/index.ts";
import { problem } from "@metrum/contract/core";
import { record, resolveOne, type Ctx } from "#core";
import {
  insertEvent,
  lockPoint,
  momentOf,
  pointsChanged,
  refuseBilled,
  refuseMoment,
  subjectOf,
} from "../records/index.ts";
import { endTie, openTie, tieDevices, type Tie, type Tied } from "./devices.ts";
import { confirmedBy, refuseDoubted, type Confirmation } from "./doubtedReadings.ts";

/**
 * A register of a device measures a point from a moment on. Problems: those of `tieDevices`, and point_reading_doubted.
 */
export async function tieDevice(ctx: Ctx, given: Tie & Confirmation): Promise<void> {
  const confirmed = confirmedBy(given);
  for (const tied of await tieDevices(ctx, [{ ...given, confirmed }]))
    await refuseDoubtedTie(ctx, tied, given);
}

/** Readings of a tie that the device contradicts are confirmed, or refused. Problem: point_reading_doubted. */
export async function refuseDoubtedTie(
  ctx: Ctx,
  { device, field: main, from, to, opening, closing, confirmed }: Tied,
  { starting_value }: Pick<Tie, "starting_value">,
): Promise<void> {
  if (confirmed !== undefined) return;
  const of = { deviceId: device.id, modelId: device.model_id, main };
  const argument = starting_value == null ? undefined : "starting_value";
  await refuseDoubted(ctx, [
    { ...of, side: "opening", at: from, given: opening, argument },
    ...(to === null ? [] : [{ ...of, side: "closing", at: to, given: closing } as const]),
  ]);
}

export interface Untie {
  readonly accounting_point_id: number;
  readonly device_id: number;
  readonly to?: number | undefined;
  readonly last_value?: number | null | undefined;
  readonly closing?: Readonly<Record<string, number>> | undefined;
  readonly note?: string | undefined;
}

/**
 * The device measures the point no longer. Problems: not_found, point_device_absent, point_moment,
 * point_register_unknown, point_reading_doubted.
 */
export async function untieDevice(ctx: Ctx, given: Untie & Confirmation): Promise<void> {
  const confirmed = confirmedBy(given);
  const pointId = await lockPoint(ctx, given.accounting_point_id);
  const deviceId = await resolveOne(ctx, "device", given.device_id);
  const to = momentOf(ctx, given.to, "to");
  const all = await store.devicesOf(ctx.db, pointId);
  const tie = openTie(all, to);
  if (tie?.device_id !== deviceId)
    throw problem("point_device_absent", { attributes: { device_id: ["point_device_absent"] } });
  if (to <= tie.from_ts) refuseMoment("to");
  await refuseBilled(ctx, pointId, { from: to, to: tie.to_ts, field: "to" });
  const closing = await endTie(ctx, tie, { to, value: given.last_value, by: given.closing });
  if (confirmed === undefined) {
    const { model_id, field: main } = tie;
    const argument = given.last_value == null ? undefined : "last_value";
    await refuseDoubted(ctx, [
      { side: "closing", deviceId, modelId: model_id, main, at: to, given: closing, argument },
    ]);
  }
  await insertEvent(ctx.db, ctx.scope, {
    pointId,
    ts: to,
    kind: "removed",
    deviceId,
    details: { point_device: tie.id, ...(given.note ? { note: given.note } : {}) },
  });
  await record(ctx, {
    action: "point.untieDevice",
    subject: subjectOf(pointId),
    before: { device_id: deviceId, from: tie.from_ts },
    after: {
      to,
      closing,
      ...(given.note ? { note: given.note } : {}),
      ...(confirmed === undefined ? {} : { confirmed }),
    },
  });
  pointsChanged(ctx);
}
