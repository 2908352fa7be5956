import { problem } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import { devicesOf, momentOf, refuseMoment, type PointDevice } from "../records/index.ts";
import { openTie } from "./devices.ts";

export interface Swap {
  readonly old: PointDevice;
  readonly removed: number;
  readonly installed: number;
}

interface Given {
  readonly device_id: number;
  readonly removed_at?: number | undefined;
  readonly installed_at?: number | undefined;
}

/**
 * The device that is removed, and the moments of the swap. Problems: point_device_absent, point_moment; wrong_input when
 * the device replaces itself.
 */
export async function swapOf(ctx: Ctx, pointId: AccountingPointId, given: Given): Promise<Swap> {
  const removed = momentOf(ctx, given.removed_at ?? given.installed_at, "removed_at");
  const installed = momentOf(ctx, given.installed_at ?? removed, "installed_at");
  const old = openTie(await devicesOf(ctx.db, pointId), removed);
  if (!old) throw problem("point_device_absent");
  if (old.device_id === given.device_id)
    throw problem("wrong_input", { attributes: { device_id: ["wrong"] } });
  if (removed <= old.from_ts) refuseMoment("removed_at");
  if (installed < removed) refuseMoment("installed_at");
  return { old, removed, installed };
}
