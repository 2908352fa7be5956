import { problem, type ParsedOf } from "@metrum/contract/core";
import type { baseStations } from "@metrum/contract/metering";
import type { BaseStationId } from "@metrum/vocabulary";
import { resolve, type Ctx } from "#core";
import { changeCarriers, type CarrierKind } from "#metering/gateways";
import { subjectOf } from "./baseStations.ts";
import { matchingStations, withDevicesOfOthers } from "./listStore.ts";
import { lockStations, putStations, takenNumbers } from "./store.ts";

const kind: CarrierKind<BaseStationId> = {
  subjectOf,
  actions: {
    switch: "baseStation.switch",
    archive: "baseStation.archive",
    trash: "baseStation.trash",
    restore: "baseStation.restore",
  },
  lock: ({ db }, ids) => lockStations(db, ids),
  withDevicesOfOthers: ({ db, scope }, ids) => withDevicesOfOthers(db, scope, ids),
  takenNumbers: ({ db, scope }, numbers) => takenNumbers(db, scope, numbers),
  put: ({ db }, changed, columns) =>
    putStations(
      db,
      changed.map(({ id }) => id),
      columns,
    ),
};

/** Changes all base stations that a filter matches now. Problems: right_missing, not_found (an unknown id). */
export async function changeManyStations(
  ctx: Ctx,
  { filter, action }: ParsedOf<typeof baseStations.changeMany>["body"],
) {
  await resolve(ctx, "baseStation", filter.ids ?? []);
  return changeCarriers(ctx, kind, await matchingStations(ctx.db, ctx.scope, filter), action);
}

/** Archives base stations or restores them, all or none. Problems: not_found, base_station_in_trash, tied_devices_only. */
export async function archiveStations(
  ctx: Ctx,
  { ids: given, is_archived }: ParsedOf<typeof baseStations.archive>["body"],
): Promise<number> {
  const ids = await resolve(ctx, "baseStation", given);
  const { count, refused } = await changeCarriers(ctx, kind, ids, is_archived ? "archive" : "unarchive");
  if (refused.has("tied_devices_only")) throw problem("tied_devices_only");
  if (refused.size > 0) throw problem("base_station_in_trash");
  return count;
}
