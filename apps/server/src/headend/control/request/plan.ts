import { allows, pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import type { control, ControlPlan, DeviceCommand } from "@metrum/contract/headend";
import { changesAnything, commandOf, managementOf, readManagement, switchesOff } from "@metrum/vocabulary";
import { resolveOne, type Ctx } from "#core";
import { askedDevices } from "#headend/tasks";
import { inability, onlyCommand } from "./abilities.ts";
import { needsOf } from "./guards.ts";
import { commandPage, type StoredCommand } from "./planStore.ts";
import { checkedOf, expirySec } from "./request.ts";
import { plannedTargets, targetsOf } from "./targets.ts";

/** Devices that are named as unable. */
const mostNamed = 1_000;
const usualPage = 20;
const largestPage = 100;

/**
 * What a command for a selection would do, before it is requested. Problems: right_missing, not_found,
 * command_unsupported for unknown keys.
 */
export async function planCommand(
  ctx: Ctx,
  body: ParsedOf<typeof control.plan>["body"],
): Promise<ControlPlan> {
  const { db, scope } = ctx;
  const asked = readManagement(body.management);
  if (!allows(changesAnything(asked) ? "4:update" : "4:read", scope.access)) throw problem("right_missing");
  const requested = onlyCommand(body.management);
  const { deviceIds } = await askedDevices(ctx, body);
  const devices = await plannedTargets(ctx, [...new Set(deviceIds)]);
  const unable = devices.flatMap(({ id, name, modelId, isPutAway }) => {
    const reason = isPutAway ? ("put_away" as const) : inability(modelId, requested);
    return reason === undefined ? [] : [{ device_id: id, device_name: name, reason }];
  });
  const named = new Set(unable.map(({ device_id }) => device_id));
  const ableIds = devices.flatMap(({ id }) => (named.has(id) ? [] : [id]));
  const able = ableIds.length;
  return {
    device_count: devices.length,
    able_count: able,
    unable: unable.slice(0, mostNamed),
    unable_count: unable.length,
    checked: checkedOf(ctx, ableIds),
    switches_off: switchesOff(requested),
    needs: able === 0 ? [] : await needsOf(db, ctx, requested, able),
    expires_in: expirySec(requested, Math.max(1, able)),
  };
}

/** One page of the commands to a device or gateway. Problem: not_found. */
export async function commandsOf(
  ctx: Ctx,
  { device_id, page = 1, per_page = usualPage }: ParsedOf<typeof control.list>["body"],
): Promise<ReplyOf<typeof control.list>> {
  const { kind } = await targetsOf(ctx, [device_id]);
  const deviceId = await resolveOne(ctx, kind, device_id);
  const limit = pageSize(per_page, largestPage);
  const { rows, total } = await commandPage(ctx.db, ctx.scope, {
    deviceId,
    limit,
    offset: (page - 1) * limit,
  });
  return {
    commands: {
      data: rows.map(shown),
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / limit)),
      per_page: limit,
      total,
    },
  };
}

function shown({ arguments: given, ...row }: StoredCommand): DeviceCommand {
  const command = commandOf(row.key);
  return { ...row, management: command ? managementOf({ command, given }) : {} };
}
