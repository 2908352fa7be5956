import { setTimeout as sleep } from "node:timers/promises";
import { createTurns } from "#core";

/** Requests of this time for one thing share one run. */
const gatherMs = 50;
/** Runs of this process at a time: sockets leave the connections to the calls. */
const bounds = { atOnce: 3, waiting: 5_000, waitMs: 15_000 } as const;

/** Runs for a key; the requests of a short time share one run, which begins after them all and so sees what they saw. */
export type Gathered = <Result>(key: string, run: () => Promise<Result>) => Promise<Result>;

export function createGathered(): Gathered {
  const turns = createTurns(bounds);
  const gathering = new Map<string, Promise<unknown>>();
  const later = async <Result>(key: string, run: () => Promise<Result>): Promise<Result> => {
    await sleep(gatherMs);
    const end = await turns.take("all").finally(() => gathering.delete(key));
    try {
      return await run();
    } finally {
      end();
    }
  };
  return async <Result>(key: string, run: () => Promise<Result>) => {
    const known = gathering.get(key) as Promise<Result> | undefined;
    const shared = known ?? later(key, run);
    if (!known) gathering.set(key, shared);
    return shared;
  };
}
