import { problem } from "@metrum/contract/core";
import { deviceTrash } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { recordEach, resolve, resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { refuseNewDevices } from "#access/licence";
import { pointsRestingOn, tiedPoints } from "../pointStore.ts";
import {
  devicesIdentified,
  markRemoved,
  moveToArchive,
  moveToTrash,
  putAway,
  type MovedDevice,
  type PutAway,
} from "../store.ts";
import { refuseSources } from "../virtual.ts";

export function serveTrash(api: Api): void {
  serve(api, deviceTrash, {
    add: async ({ params }, ctx) => {
      await toTrash(ctx, [params.id]);
      const points = await pointsOf(ctx, params.id);
      return points === ""
        ? withMessage({}, "device_to_trash")
        : withMessage({}, "device_to_trash_tied", { points });
    },
    restore: async ({ params }, ctx) => {
      await restore(ctx, [params.id]);
      return withMessage({}, "device_restored");
    },
    remove: async ({ params }, ctx) => {
      const id = await resolveOne(ctx, "device", params.id);
      if (!(await putAway(ctx.db, ctx.scope, [id]))[0]?.is_deleted) throw problem("device_not_in_trash");
      await removeForGood(ctx, [id]);
      return withMessage({}, "device_removed");
    },
    clear: async (_, ctx) => {
      const count = await removeForGood(ctx, undefined);
      return withMessage({}, "trash_cleared", { count });
    },
    move: async ({ body }, ctx) => {
      const { ids, is_deleted } = body;
      const count = await (is_deleted ? toTrash : restore)(ctx, ids);
      return withMessage({}, is_deleted ? "devices_to_trash" : "devices_restored", { count });
    },
    archive: async ({ body }, ctx) => {
      const count = await archive(ctx, body.ids, body.is_archived);
      return withMessage({}, body.is_archived ? "devices_archived" : "devices_unarchived", { count });
    },
  });
}

/** Problems: not_found, device_is_source. */
async function toTrash(ctx: Ctx, given: readonly number[]): Promise<number> {
  const ids = await resolve(ctx, "device", given);
  await refuseSources(ctx, ids);
  const moved = await moveToTrash(ctx.db, ctx.scope, ids, new Date(ctx.clock.nowMs()));
  await tell(ctx, "device.trash", moved.map(named));
  return moved.length;
}

/**
 * Brings devices back from the trash; those outside it are left alone. Problems: not_found, identifier_taken
 * (which names the device that has it), device_limit_reached, licence_expired.
 */
async function restore(ctx: Ctx, given: readonly number[]): Promise<number> {
  const ids = await resolve(ctx, "device", given);
  const waiting = (await putAway(ctx.db, ctx.scope, ids)).filter(({ is_deleted }) => is_deleted);
  if (waiting.length === 0) return 0;
  await refuseNewDevices(ctx, waiting.filter(({ is_archived }) => !is_archived).length);
  const moved = await moveToTrash(ctx.db, ctx.scope, idsOf(waiting), null);
  await refuseTwins(ctx, moved);
  await tell(ctx, "device.restore", moved.map(named));
  return moved.length;
}

/** Names of the points that a device measures, which the answer tells. */
async function pointsOf(ctx: Ctx, given: number): Promise<string> {
  const ids = await resolve(ctx, "device", [given]);
  const points = await tiedPoints(ctx.db, { ids, now: ctx.clock.now() });
  return [...points.values()].map(({ title }) => title).join(", ");
}

/** Removes devices for good that need not stay in the trash, of those that came through `resolve`. */
export async function discardDevices(ctx: Ctx, given: readonly number[]): Promise<void> {
  const ids = await resolve(ctx, "device", given);
  await moveToTrash(ctx.db, ctx.scope, ids, new Date(ctx.clock.nowMs()));
  await removeForGood(ctx, ids);
}

/** Devices that were just restored must not have the identifier of another one. */
async function refuseTwins({ db, scope }: Ctx, moved: readonly MovedDevice[]): Promise<void> {
  const first = new Map<string, DeviceId>(moved.map(({ id, deviceID }) => [deviceID.toLowerCase(), id]));
  const found = await devicesIdentified(
    db,
    scope.companyId,
    moved.map(({ deviceID }) => deviceID),
  );
  const twin = found.find(({ id, deviceID }) => first.get(deviceID.toLowerCase()) !== id);
  if (twin) throw problem("identifier_taken", { params: { name: twin.name } });
}

/** Removes devices in the trash: these, or all that the session sees there. Returns how many. */
async function removeForGood(ctx: Ctx, ids: readonly DeviceId[] | undefined): Promise<number> {
  const points = ids ? await pointsRestingOn(ctx.db, ids) : [];
  if (points.length > 0) throw problem("point_history", { params: { points: points.join(", ") } });
  const removed = await markRemoved(ctx.db, ctx.scope, { ids, at: new Date(ctx.clock.nowMs()) });
  await tell(ctx, "device.remove", removed.map(named));
  return removed.length;
}

/** Problems: not_found, device_in_trash; on return also device_limit_reached, licence_expired. */
async function archive(ctx: Ctx, given: readonly number[], isArchived: boolean): Promise<number> {
  const ids = await resolve(ctx, "device", given);
  const away = await putAway(ctx.db, ctx.scope, ids);
  if (away.some(({ is_deleted }) => is_deleted)) throw problem("device_in_trash");
  if (!isArchived && away.length > 0) await refuseNewDevices(ctx, away.length);
  const moved = await moveToArchive(ctx.db, ctx.scope, ids, isArchived);
  await tell(
    ctx,
    "device.archive",
    moved.map((each) => ({ ...named(each), after: { is_archived: isArchived } })),
  );
  return moved.length;
}

const idsOf = (rows: readonly PutAway[]): DeviceId[] => rows.map(({ id }) => id);

const named = ({ id, name, deviceID }: MovedDevice) => ({
  subject: `device ${String(id)}`,
  before: { name, deviceID },
});

async function tell(
  ctx: Ctx,
  action: "device.trash" | "device.restore" | "device.remove" | "device.archive",
  moved: readonly object[],
): Promise<void> {
  if (moved.length === 0) return;
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
  await recordEach(ctx, action, moved);
}
