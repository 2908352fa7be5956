import { taskStates } from "@metrum/contract/headend";
import type { DeviceChange, DeviceChangeFault } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { auditEach, isDatabaseAway, startRounds, type Db, type Services, type Stop } from "#core";
import { joinPollGroup } from "#headend/poll-groups";
import { changeDevices, type Changed, type Changing } from "#metering/devices";
import { nextChanges, type ChangeBatch } from "./changeStore.ts";
import { changeChannel, endChanges, type TaskChange } from "./taskStore.ts";

/** Changes that no notification announced: those of a process that has died. */
const everyMs = 60_000;
/** Devices per transaction: their audit rows are one statement, and other users wait for it. */
const atOnce = 5_000;

/** Works on the tasks that change devices, as long as the process has the role worker. */
export function startChanges(services: Services): Stop {
  const { database, log } = services;
  const rounds = startRounds({
    everyMs,
    on: { listener: database.listener, channels: [changeChannel] },
    round: () => makeChanges(services, () => rounds.isStopped()),
    onError: (error) => log.warn({ err: error }, "devices were not changed, trying again"),
  });
  return rounds.stop;
}

/** Makes the requested changes; several workers share the tasks. Returns when none is left, or when stopped. */
export async function makeChanges(services: Services, isStopped: () => boolean = () => false): Promise<void> {
  while (!isStopped() && (await changeSome(services)));
}

/**
 * Changes one batch of devices; their change, outcome and audit rows are one transaction, so that a worker that dies
 * leaves nothing half done. A batch that fails ends as failed, or it would be tried forever. False when there
 * is none.
 */
async function changeSome(services: Services): Promise<boolean> {
  const { database, log, bus, clock } = services;
  const { system } = database;
  let batch: ChangeBatch | undefined;
  let changes: readonly TaskChange[];
  try {
    changes = await system.transaction().execute(async (db) => {
      batch = await nextChanges(db, atOnce);
      return batch ? endChanges(db, batch, await changed({ ...services, db }, batch), clock.now()) : [];
    });
  } catch (error) {
    if (batch === undefined || isDatabaseAway(error)) throw error;
    log.error({ err: error, task: batch.taskId }, "a batch of devices could not be changed");
    const faults = new Map(batch.deviceIds.map((id) => [id, "internal"] as const));
    changes = await endChanges(system, batch, faults, clock.now());
  }
  if (!batch) return false;
  bus.publish("devicesChanged", { companyId: batch.companyId });
  // What a user sees depends on the ties.
  for (const id of batch.change.user_ids ?? []) bus.publish("accessChanged", `user:${String(id)}`);
  bus.publish("tasksChanged", announced(batch, changes));
  return true;
}

type Faults = ReadonlyMap<DeviceId, DeviceChangeFault>;

async function changed(
  services: Services & { readonly db: Db },
  { companyId, userId, actor, change, deviceIds }: ChangeBatch,
): Promise<Faults> {
  const scope = { companyId, onlyTiedDevices: false } as const;
  const { faults, action, notes } = await made({ ...services, scope }, deviceIds, change);
  await auditEach(services.db, { ...actor, companyId, userId, action }, notes);
  return faults;
}

function made(ctx: Changing, deviceIds: readonly DeviceId[], change: DeviceChange): Promise<Changed> {
  const { action, poll_group_id: groupId } = change;
  if (action !== "group") return changeDevices(ctx, deviceIds, { ...change, action });
  if (groupId === undefined) throw new Error("devices without their poll group");
  return joinPollGroup(ctx, deviceIds, groupId);
}

/** The new state of the task; the devices of a batch are too many to announce each. */
function announced({ companyId, taskId }: ChangeBatch, changes: readonly TaskChange[]): TaskChange[] {
  const ended = changes.filter(({ deviceId }) => deviceId === undefined);
  return ended.length > 0 ? ended : [{ companyId, taskId, statusId: taskStates.running.id }];
}
