import { pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { tasks } from "@metrum/contract/headend";
import { resolveOne, type Ctx } from "#core";
import { explainRow, loggedDevice, logPage, type LoggedDevice } from "#headend/exchanges";
import { expiredBefore } from "#headend/retention";
import { devicesOfTask } from "./listStore.ts";

type Body = ParsedOf<typeof tasks.logs>["body"];

const usualPage = 25;

/**
 * Exchanges with a device, with the devices of a task, or of both. Problems: not_found, wrong_input without
 * either.
 */
export async function exchangeLog(ctx: Ctx, body: Body): Promise<ReplyOf<typeof tasks.logs>> {
  const asked = await askedOf(ctx, body);
  const limit = pageSize(body.per_page ?? usualPage);
  const page = body.page ?? 1;
  const expired_before = await expiredBefore(ctx.db, ctx.scope.companyId, "exchanges");
  const { rows, total, counts } = await logPage(
    ctx,
    { ...body, ...asked },
    { limit, offset: (page - 1) * limit },
  );
  const devices = new Map<number, LoggedDevice>();
  for (const { device_id, steps } of rows)
    if (steps && !devices.has(device_id)) devices.set(device_id, await loggedDevice(ctx, device_id));
  return {
    logs: {
      data: rows.map((row) => explainRow(row, devices.get(row.device_id) ?? { driver: undefined })),
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / limit)),
      per_page: limit,
      total,
    },
    counts,
    expired_before,
  };
}

/** The devices, and for a task its start: earlier exchanges are not read. */
async function askedOf(
  ctx: Ctx,
  { device_id, device_task_id, start_date }: Body,
): Promise<{ readonly device_ids: readonly number[]; readonly start_date?: number | undefined }> {
  const deviceId = device_id === undefined ? undefined : await resolveOne(ctx, "device", device_id);
  if (device_task_id === undefined) {
    if (deviceId === undefined) throw problem("wrong_input", { attributes: { device_id: ["required"] } });
    return { device_ids: [deviceId], start_date };
  }
  const taskId = await resolveOne(ctx, "task", device_task_id);
  const { ids, createdAt } = await devicesOfTask(ctx.db, ctx.scope, taskId);
  return {
    device_ids: deviceId === undefined ? ids : [deviceId],
    start_date: Math.max(createdAt, start_date ?? createdAt),
  };
}
