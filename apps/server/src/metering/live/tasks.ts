import type { Events, Services, Stop } from "#core";
import { announceGathered } from "./announce.ts";
import { companyRoom, deviceRoom } from "./emit.ts";
import type { LiveServer } from "./server.ts";

type Change = Events["tasksChanged"][number];

/** Announces new states of tasks and their devices to every process; the last of a task after its devices. */
export function tellTasks({ bus }: Services, live: LiveServer): Stop {
  return announceGathered<Change>({
    subscribe: (listener) => bus.on("tasksChanged", listener),
    keyOf: ({ taskId, deviceId }) => `${String(taskId)}/${String(deviceId ?? "")}`,
    announce: (batch) => {
      live.serverSideEmit("tasks", batch);
      deliverTasks(live, batch);
    },
  });
}

/**
 * Sends `device_task` to the sockets of this process: those with read on 4, and of one device those tied to
 * it. The end of a task names its user, whose pages say it.
 */
export function deliverTasks(live: LiveServer, changes: readonly Change[]): void {
  for (const { companyId, taskId, deviceId, statusId, userId } of changes)
    live.local
      .to([companyRoom(companyId, "device_data"), ...(deviceId === undefined ? [] : [deviceRoom(deviceId)])])
      .emit("device_task", {
        device_task_id: taskId,
        ...(deviceId === undefined ? {} : { device_id: deviceId }),
        status_id: statusId,
        ...(userId === undefined ? {} : { user_id: userId }),
      });
}
