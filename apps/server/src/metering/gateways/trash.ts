import { problem } from "@metrum/contract/core";
import { isUniqueViolation, record, recordEach, resolve, type Ctx } from "#core";
import { leaveGateway } from "#metering/devices";
import { ownGateway, rowOf, subjectOf } from "./gateways.ts";
import { identityTaken } from "./identity.ts";
import {
  changeGateway,
  deleteGateway,
  deleteGateways,
  identitiesOf,
  tellCaller,
  tellCallers,
} from "./store.ts";

/**
 * Moves a gateway to the trash or back; without effect where it is already. Its modem is closed or admitted
 * within moments. Problems: not_found, tied_devices_only, identifier_taken (on the way back).
 */
export async function putGatewayInTrash(ctx: Ctx, given: number, isDeleted: boolean): Promise<void> {
  const id = await ownGateway(ctx, given);
  const row = await rowOf(ctx, id);
  if (row.is_deleted === isDeleted) return;
  try {
    await changeGateway(ctx.db, id, { deleted_at: isDeleted ? new Date(ctx.clock.nowMs()) : null });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw await identityTaken(ctx, row.device_id, "device_id");
  }
  await record(ctx, {
    action: isDeleted ? "gateway.trash" : "gateway.restore",
    subject: subjectOf(id),
    after: { name: row.name, device_id: row.device_id },
  });
  await tellCaller(ctx.db, row.device_id);
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
}

/**
 * Removes a gateway in the trash for good; its devices stay without one. Problems: not_found,
 * tied_devices_only, gateway_not_in_trash.
 */
export async function removeGateway(ctx: Ctx, given: number): Promise<void> {
  const id = await ownGateway(ctx, given);
  const row = await rowOf(ctx, id);
  if (!row.is_deleted) throw problem("gateway_not_in_trash");
  const devices = await leaveGateway(ctx.db, id);
  await deleteGateway(ctx.db, id);
  await record(ctx, {
    action: "gateway.remove",
    subject: subjectOf(id),
    before: { name: row.name, device_id: row.device_id, device_ids: devices },
  });
  ctx.afterCommit(() => ctx.bus.publish("devicesChanged", { companyId: ctx.scope.companyId }));
}

/** Removes gateways without devices for good that need not stay in the trash. */
export async function discardGateways(ctx: Ctx, given: readonly number[]): Promise<void> {
  const removed = await deleteGateways(ctx.db, await resolve(ctx, "gateway", given));
  await tellCallers(
    ctx.db,
    removed.map(({ device_id }) => device_id),
  );
  await recordEach(
    ctx,
    "gateway.remove",
    removed.map(({ id, name, device_id }) => ({ subject: subjectOf(id), before: { name, device_id } })),
  );
}

/** Of gateways whose columns have been put back as they were. */
export async function returnGateways(ctx: Ctx, given: readonly number[]): Promise<void> {
  const ids = await resolve(ctx, "gateway", given);
  await tellCallers(ctx.db, await identitiesOf(ctx.db, ids));
  await recordEach(
    ctx,
    "gateway.update",
    ids.map((id) => ({ subject: subjectOf(id), after: { undone: true } })),
  );
}
