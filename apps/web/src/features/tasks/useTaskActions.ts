import type { Call, InputOf } from "@metrum/contract/core";
import { tasks } from "@metrum/contract/headend";
import { useState } from "react";
import { exchange } from "#lib/call";
import { change } from "#ui/change";

const refreshed = [tasks.list, tasks.results, tasks.statistics];

/** Cancels and repeats tasks, shows the outcome and refreshes. The call itself reports a failure. */
export function useTaskActions() {
  const [isBusy, setBusy] = useState(false);
  const run = async <C extends Call>(definition: C, input: InputOf<C>): Promise<boolean> => {
    setBusy(true);
    try {
      return await change(() => exchange(definition, input), { refreshed });
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    cancel: (ids: readonly number[]) => run(tasks.cancel, { body: { device_task_ids: [...ids] } }),
    cancelOfDevice: (device_id: number) => run(tasks.cancel, { body: { delete_all: true, device_id } }),
    cancelOfGroup: (poll_group_id: number) =>
      run(tasks.cancel, { body: { delete_all: true, poll_group_id } }),
    repeat: (device_task_id: number) => run(tasks.repeat, { body: { device_task_id } }),
  };
}

export type TaskActions = ReturnType<typeof useTaskActions>;
