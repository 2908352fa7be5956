import { ties } from "@metrum/contract/accounting";
import type { DeviceId, UserId } from "@metrum/vocabulary";
import { record, resolve, resolveOne, serve, withMessage, type Api, type Ctx } from "#core";
import { refuseUntied, tieUsers, untieUsers, usersById, usersTiedTo } from "#access/users";
import { lockDevice } from "./store.ts";

export function serveTies(api: Api): void {
  serve(api, ties, {
    set: async ({ body }, ctx) => {
      const count = await setTies(ctx, body.device_id, body.user_ids);
      return withMessage({}, "users_tied", { count });
    },
    get: async ({ body }, ctx) => {
      const device = await resolveOne(ctx, "device", body.device_id);
      return { users: await usersById(ctx, await usersTiedTo(ctx.db, ctx.scope, device)) };
    },
  });
}

/**
 * Ties exactly these users to a device. A user who loses the last tie sees all devices again, and one who gets the first
 * sees no other, so a user tied to devices may do neither. Throws not_found, right_not_held.
 */
async function setTies(ctx: Ctx, deviceId: number, userIds: readonly number[]): Promise<number> {
  const device = await resolveOne(ctx, "device", deviceId);
  const wanted = new Set(await resolve(ctx, "user", userIds));
  await lockDevice(ctx.db, ctx.scope, device);
  const before = await usersTiedTo(ctx.db, ctx.scope, device);
  const had = new Set(before);
  const lost = before.filter((id) => !wanted.has(id));
  const gained = [...wanted].filter((id) => !had.has(id));
  await refuseUntied(ctx, gained);
  await untieUsers(ctx.db, ctx.scope, device, lost);
  await tieUsers(ctx.db, ctx.scope, device, gained);
  await refuseUntied(ctx, lost);
  const changed = [...lost, ...gained];
  if (changed.length > 0) await tell(ctx, { device, before, after: [...wanted], changed });
  return wanted.size;
}

async function tell(
  ctx: Ctx,
  {
    device,
    before,
    after,
    changed,
  }: {
    readonly device: DeviceId;
    readonly before: readonly UserId[];
    readonly after: readonly UserId[];
    readonly changed: readonly UserId[];
  },
): Promise<void> {
  ctx.afterCommit(() => {
    for (const id of changed) ctx.bus.publish("accessChanged", `user:${String(id)}`);
    ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId });
  });
  await record(ctx, {
    action: "device.tieUser",
    subject: `device ${String(device)}`,
    before: { user_ids: before },
    after: { user_ids: after },
  });
}

/** Refuses a tie of many devices by a user who is tied. Problems: not_found, right_not_held. */
export async function refuseFirstTies(ctx: Ctx, userIds: readonly number[]): Promise<void> {
  await refuseUntied(ctx, await resolve(ctx, "user", userIds));
}
