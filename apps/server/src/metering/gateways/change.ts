import { problem, type ParsedOf } from "@metrum/contract/core";
import type { GatewaySelection, gateways } from "@metrum/contract/metering";
import type { GatewayId } from "@metrum/vocabulary";
import { resolve, type Ctx } from "#core";
import { subjectOf } from "./gateways.ts";
import { matchingGateways, withDevicesOfOthers } from "./listStore.ts";
import { changeCarriers, type CarrierKind } from "./many.ts";
import { lockGateways, putGateways, takenIdentities, tellCallers } from "./store.ts";

const kind: CarrierKind<GatewayId> = {
  subjectOf,
  actions: {
    switch: "gateway.switch",
    archive: "gateway.archive",
    trash: "gateway.trash",
    restore: "gateway.restore",
  },
  lock: ({ db }, ids) => lockGateways(db, ids),
  withDevicesOfOthers: ({ db, scope }, ids) => withDevicesOfOthers(db, scope, ids),
  // A number is unique in the installation, of which the session sees its company.
  takenNumbers: ({ database }, numbers) => takenIdentities(database.system, numbers),
  put: async ({ db }, changed, columns) => {
    await putGateways(
      db,
      changed.map(({ id }) => id),
      columns,
    );
    await tellCallers(
      db,
      changed.map(({ device_id }) => device_id),
    );
  },
};

/** Changes all gateways that a filter matches now. Problems: right_missing, not_found (an unknown id). */
export async function changeManyGateways(
  ctx: Ctx,
  { filter, action }: ParsedOf<typeof gateways.changeMany>["body"],
) {
  return changeCarriers(ctx, kind, await selected(ctx, filter), action);
}

/** Archives gateways or restores them, all or none. Problems: not_found, gateway_in_trash, tied_devices_only. */
export async function archiveGateways(
  ctx: Ctx,
  { ids: given, is_archived }: ParsedOf<typeof gateways.archive>["body"],
): Promise<number> {
  const ids = await resolve(ctx, "gateway", given);
  const { count, refused } = await changeCarriers(ctx, kind, ids, is_archived ? "archive" : "unarchive");
  if (refused.has("tied_devices_only")) throw problem("tied_devices_only");
  if (refused.size > 0) throw problem("gateway_in_trash");
  return count;
}

async function selected(ctx: Ctx, filter: GatewaySelection): Promise<GatewayId[]> {
  await resolve(ctx, "gateway", filter.ids ?? []);
  return matchingGateways(ctx.db, ctx.scope, filter);
}
