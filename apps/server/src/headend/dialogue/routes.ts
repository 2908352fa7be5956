import type { Db } from "#core";
import { holdersOf, workOf } from "#headend/channels";
import { lineOf, type PolledDevice } from "#headend/exchanges";

/** Work that any process with the role broker can do: lines that we open and nobody holds. */
export const anyWork = "line";

/** Where the jobs of a device go. */
export interface Route {
  /** Empty for a device that has no line. */
  readonly line: string;
  /** Undefined: no process has this line, and none can open it. */
  readonly task: string | undefined;
}

/** The routes of devices, by the processes that hold their lines. Rows: one a line that is held, by primary key. */
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
