import type { Services } from "#core";
import {
  addLineJobs,
  requestPriority,
  routesOf,
  type DeviceJob,
  type LineJob,
  type Route,
} from "#headend/dialogue";
import { askedDevice } from "#headend/exchanges";
import { pollPriority } from "./schedule.ts";

/** Name of the line job that polls a device. */
export const pollKind = "poll";

/** The job that polls a device; undefined when no process can reach its line. */
export function pollJobs(
  { line, task }: Route,
  { deviceId, taskId, asksHoles = false }: DeviceJob,
  failures: number,
): LineJob[] {
  if (task === undefined) return [];
  const job = { kind: pollKind, task, line };
  return [
    taskId === undefined
      ? { ...job, payload: { deviceId }, key: `poll:${deviceId}`, priority: pollPriority(failures) }
      : {
          ...job,
          payload: { deviceId, taskId, asksHoles },
          key: `task:${taskId}:${deviceId}`,
          // No user waits for missing rows: they alternate with current values.
          priority: asksHoles ? pollPriority(failures) : requestPriority,
        },
  ];
}

/** Forwards a poll to the process that has claimed the line meanwhile, or back to any. */
export async function reroute({ database }: Services, request: DeviceJob): Promise<void> {
  const device = await askedDevice(database.system, request.deviceId);
  if (!device) return;
  const route = (await routesOf(database.system, [device])).get(device);
  if (route) await addLineJobs(database.system, pollJobs(route, request, device.failures));
}
