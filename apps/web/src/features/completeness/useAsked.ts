import { tasks, type DeviceTask } from "@metrum/contract/headend";
import { completeness } from "@metrum/contract/insight";
import { useEffect, useRef } from "react";
import { refetch, useCall } from "#lib/call";
import { useSocketEvent } from "#lib/socket";
import { dayText } from "./completeness.ts";

/** Tasks are requested this long after the first change: a burst of answers is one request. */
const refreshMs = 1000;
/** Newest tasks among which those that request missing rows are looked for. */
const newest = 25;

export type HolesTask = DeviceTask & { readonly holes: NonNullable<DeviceTask["holes"]> };

const asksHoles = (task: DeviceTask): task is HolesTask => task.holes !== undefined;

/** Tasks that request missing rows, newest first: those that have not ended, and the last ended one. */
export function useAsked(): readonly HolesTask[] {
  const query = useCall(tasks.list, { body: { per_page: newest } }, { isQuiet: true, keepsPrevious: true });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = () => {
    timer.current = undefined;
    void refetch(tasks.list, tasks.planHoles, completeness.totals);
  };
  useSocketEvent("device_task", () => {
    timer.current ??= setTimeout(refresh, refreshMs);
  });
  useSocketEvent("joined", refresh);
  useEffect(() => () => clearTimeout(timer.current), []);
  const own = (query.data?.device_tasks.data ?? []).filter(asksHoles);
  const ended = own.find(({ ended_at }) => ended_at !== null);
  return own.filter((task) => task.ended_at === null || task === ended);
}

/** Whether missing rows of a device and day are being requested. */
export type IsAsking = (deviceId: number, day: string) => boolean;

export function askingOf(asked: readonly HolesTask[], type: number, zone: string): IsAsking {
  const open = asked
    .filter(({ ended_at, holes }) => ended_at === null && holes.msg_types.includes(type))
    .map(({ device_ids, holes }) => ({
      ids: new Set(device_ids),
      first: dayText(holes.start_date, zone),
      last: dayText(holes.stop_date, zone),
    }));
  return (id, day) => open.some(({ ids, first, last }) => ids.has(id) && day >= first && day <= last);
}
