import { readFileSync } from "node:fs";

/**
 * Processor time of a thread in milliseconds, from its directory in /proc (`/proc/PID/task/TID`).
 * Source: Linux, Documentation/scheduler/sched-stats.rst: the first number of `schedstat` is the time on the
 * processor in nanoseconds.
 * Undefined without such a directory: another system, or a thread that has ended.
 */
export function computedMsOf(place: string | undefined): number | undefined {
  if (place === undefined) return undefined;
  try {
    const [nanoseconds] = readFileSync(`${place}/schedstat`, "latin1").split(" ");
    const milliseconds = Number(nanoseconds) / 1e6;
    return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : undefined;
  } catch {
    return undefined;
  }
}
