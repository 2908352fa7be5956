import { exchangeKinds } from "@metrum/contract/headend";
import { interfaces, type CompanyId, type DeviceId, type UserId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { addGroup, joinGroup } from "#headend/poll-groups";
import { addTask, endItem, type NewTask } from "#headend/tasks";
import { meterOf, silentAfter, type SeededDevice } from "./catalogue.ts";

/** Groups of devices of one model; each keeps the interval that its devices have. */
const groups = [
  { name: "B23, feeders", modelId: 105 },
  { name: "iEM3155, shops", modelId: 103 },
  { name: "HYDRUS, cold water", modelId: 302 },
] as const;

const daySec = 86_400;
const exchangeSec = 2;

interface Groups {
  readonly db: Db;
  readonly companyId: CompanyId;
  /** The user who created the tasks. */
  readonly userId: UserId;
  readonly now: number;
}

/**
 * Poll groups and two tasks of the last day: all devices of a group have answered, those behind the dead
 * modem could not be polled.
 */
export async function seedGroups(
  at: Groups,
  devices: readonly SeededDevice[],
  unreachable: readonly DeviceId[],
): Promise<void> {
  const made: MadeGroup[] = [];
  for (const { name, modelId } of groups) {
    const own = devices.filter(({ planned }) => planned.modelId === modelId);
    made.push(await seedGroup(at, { name, modelId, own }));
  }
  const [feeders] = made;
  const { ru, en } = exchangeKinds.request.title;
  await seedTask(at, { deviceIds: unreachable, title: ru, titleEn: en, ago: 20 * 3600, result: "no_line" });
  if (feeders)
    await seedTask(at, {
      ...feeders,
      title: `${ru}: ${feeders.name}`,
      titleEn: `${en}: ${feeders.name}`,
      ago: 3600,
      result: "ok",
    });
}

interface MadeGroup {
  readonly name: string;
  readonly pollGroupId: number;
  readonly deviceIds: readonly DeviceId[];
}

async function seedGroup(
  { db, companyId, now }: Groups,
  of: { readonly name: string; readonly modelId: number; readonly own: readonly SeededDevice[] },
): Promise<MadeGroup> {
  const { name, modelId, own } = of;
  const intervalSec = own[0]?.planned.intervalSec ?? 3600;
  const [way] = meterOf(modelId).interfaces;
  const pollGroupId = await addGroup(
    db,
    { companyId },
    {
      ...{ name, model_id: modelId, connection_type: "polled", is_active: true, poll_one: false },
      device_interface_id: interfaces.find((each) => each.name === way)?.id ?? 0,
      ...{ poll_params: {}, autoload_params: {}, selected_data: {} },
      report_period_update: intervalSec,
      warning_report_period: silentAfter(intervalSec),
      created_at: now,
    },
  );
  const deviceIds = own.map(({ id }) => id);
  await joinGroup(db, { companyId }, pollGroupId, deviceIds);
  return { name, pollGroupId, deviceIds };
}

interface SeededTask extends Pick<NewTask, "title" | "titleEn" | "deviceIds" | "pollGroupId"> {
  /** Age in seconds. */
  readonly ago: number;
  readonly result: "ok" | "no_line";
}

/** A task that has ended, so that no device is polled. */
async function seedTask(
  { db, companyId, userId, now }: Groups,
  { ago, result, ...task }: SeededTask,
): Promise<void> {
  const began = now - ago;
  const taskId = await addTask(
    db,
    { companyId, userId },
    { ...task, commandType: "poll", now: began, expiresAt: began + daySec },
  );
  const message = result === "ok" ? "" : "the modem is not connected";
  for (const [at, deviceId] of task.deviceIds.entries()) {
    const ended = began + (at + 1) * exchangeSec;
    const startedMs = result === "ok" ? (ended - exchangeSec) * 1000 : null;
    await endItem(db, { taskId, deviceId, startedMs, now: ended, result, message });
  }
}
