import { tasks } from "@metrum/contract/headend";
import { useEffect, useMemo } from "react";
import { refetch } from "#lib/call";
import { useSocketEvent } from "#lib/socket";

/** Tasks are requested this long after the first change: a burst of answers is one request. */
const refreshMs = 1000;

/** Changes of tasks refresh the list, the results that are open, and the statistics. */
export function useTaskNews(): void {
  const timer = useMemo((): { id: ReturnType<typeof setTimeout> | undefined } => ({ id: undefined }), []);
  const ask = () => {
    timer.id = undefined;
    void refetch(tasks.list, tasks.results, tasks.statistics);
  };
  useSocketEvent("device_task", () => {
    timer.id ??= setTimeout(ask, refreshMs);
  });
  useSocketEvent("joined", ask);
  useEffect(() => () => clearTimeout(timer.id), [timer]);
}
