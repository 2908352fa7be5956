import type { Events, Services, Stop } from "#core";
import { companyRoom, deviceRoom } from "./emit.ts";
import type { LiveServer } from "./server.ts";

type Change = Events["tasksChanged"][number];

/** Changes within this time are announced together, of each device the last. */
const gatherMs = 250;
/** Changes in one message between processes. */
const largestBatch = 2_000;

/** Announces new states of tasks and their devices to every process. */
export function tellTasks({ bus }: Services, live: LiveServer): Stop {
  const gathered = new Map<string, Change>();
  let timer: NodeJS.Timeout | undefined;

  const send = (): void => {
    timer = undefined;
    const changes = [...gathered.values()];
    gathered.clear();
    for (let at = 0; at < changes.length; at += largestBatch) {
      const batch = changes.slice(at, at + largestBatch);
      live.serverSideEmit("tasks", batch);
      deliverTasks(live, batch);
    }
  };
  const stop = bus.on("tasksChanged", (changes) => {
    for (const change of changes) {
      const key = `${String(change.taskId)}/${String(change.deviceId ?? "")}`;
      // The last change of a task is told after those of its devices.
      gathered.delete(key);
      gathered.set(key, change);
    }
    timer ??= setTimeout(send, gatherMs);
  });
  return () => {
    stop();
    clearTimeout(timer);
    if (gathered.size > 0) send();
    return Promise.resolve();
  };
}

/**
 * Sends `device_task` to the sockets of this process: those with read on 4, and of one device those tied to
 * it.
 */
export function deliverTasks(live: LiveServer, changes: readonly Change[]): void {
  for (const { companyId, taskId, deviceId, statusId } of changes)
    live.local
      .to([companyRoom(companyId, "device_data"), ...(deviceId === undefined ? [] : [deviceRoom(deviceId)])])
      .emit("device_task", {
        device_task_id: taskId,
        ...(deviceId === undefined ? {} : { device_id: deviceId }),
        status_id: statusId,
      });
}
