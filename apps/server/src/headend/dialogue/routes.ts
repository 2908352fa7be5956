import type { Db } from "#core";
import { holdersOf, workOf, type LineTarget } from "#headend/channels";
import { lineOf, type PolledDevice } from "#headend/exchanges";

/**
 * Task name of work for any process with the role broker: lines that the server opens and no process holds.
 */
export const anyWork = "line";

/** Task name of work on a line; undefined: no process holds it, and none can open it. */
export async function taskOf(db: Db, target: LineTarget): Promise<string | undefined> {
  return taskFor(target, (await holdersOf(db, [target.key])).get(target.key));
}

const taskFor = (target: LineTarget | undefined, holder: number | undefined): string | undefined =>
  holder !== undefined ? workOf(holder) : target?.tcp ? anyWork : undefined;

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
      const key = target?.key ?? "";
      return [device, { line: key, task: taskFor(target, holders.get(key)) }];
    }),
  );
}
