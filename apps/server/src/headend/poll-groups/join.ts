import { pollGroupLimits } from "@metrum/contract/headend";
import type { DeviceChangeFault } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { planAnew, renewSilence } from "#metering/device-state";
import {
  devicesToChange,
  putPeriods,
  type Changed,
  type ChangedDevice,
  type Changing,
} from "#metering/devices";
import * as store from "./store.ts";

/**
 * Puts many devices into a poll group in a few statements, as far as they fit: each gets its periods, and leaves its
 * former group. Devices that are in it already are not changed.
 */
export async function joinPollGroup(
  ctx: Changing,
  ids: readonly DeviceId[],
  groupId: number,
): Promise<Changed> {
  const { db, scope } = ctx;
  const group = await store.groupToJoin(db, scope, groupId);
  const known = await devicesToChange(db, scope.companyId, ids);
  const found = new Map(known.map((device) => [device.id, device]));
  const present = new Set(group ? await store.membersOf(db, scope, groupId) : []);
  const faults = new Map<DeviceId, DeviceChangeFault>();
  const joining: DeviceId[] = [];
  for (const id of ids) {
    const device = found.get(id);
    const isFull = present.size + joining.length >= pollGroupLimits.devices;
    const fault = faultOf(device, group?.model_id) ?? (isFull ? "poll_group_full" : undefined);
    if (present.has(id)) continue;
    if (fault) faults.set(id, fault);
    else joining.push(id);
  }
  if (group) await join(ctx, joining, { ...group, groupId });
  const notes = joining.map((id) => ({ subject: `device ${String(id)}`, after: { poll_group_id: groupId } }));
  return { faults, action: "pollGroup.replace", notes };
}

function faultOf(
  device: ChangedDevice | undefined,
  modelId: number | undefined,
): DeviceChangeFault | undefined {
  if (!device) return "not_found";
  if (modelId === undefined) return "poll_group_gone";
  if (device.isDeleted) return "device_in_trash";
  return device.modelId === modelId ? undefined : "not_of_model";
}

async function join(
  { db, scope }: Changing,
  ids: readonly DeviceId[],
  group: { groupId: number; report_period_update: number; warning_report_period: number },
): Promise<void> {
  if (ids.length === 0) return;
  await store.join(db, scope, group.groupId, ids);
  await putPeriods(db, scope, ids, group);
  await renewSilence(db, ids);
  await planAnew(db, ids);
}
