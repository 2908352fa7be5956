import type { Db } from "#core";
import { holdersOf, workOf } from "#headend/channels";
import { lineOf, type PolledDevice } from "#headend/exchanges";

/**
 * Task name of work for any process with the role broker: lines that the server opens and no process holds.
 */
export const anyWork = "line";

/** Destination of the jobs of a device. */
export interface Route {
  /** Empty for a device without a line. */
  readonly line: string;
  /** Undefined: no process holds this line, and none can open it. */
  readonly task: string | undefined;
}

/** Routes of devices, by the processes that hold their lines. Rows: one per held line, by primary key. */
export async function routesOf(
  db: Db,
  devices: readonly PolledDevice[],
): Promise<ReadonlyMap<PolledDevice, Route>> {
  const targets = devices.map((device) => [device, lineOf(device)] as const);
  const holders = await holdersOf(db, [...new Set(targets.flatMap(([, target]) => target?.key ?? []))]);
  return new Map(
    targets.map(([device, target]) => {
      const holder = holders.get(target?.key ?? "");
      const task = holder !== undefined ? workOf(holder) : target?.tcp ? anyWork : undefined;
      return [device, { line: target?.key ?? "", task }];
    }),
  );
}
