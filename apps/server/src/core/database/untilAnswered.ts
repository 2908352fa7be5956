import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseAway, isStorageFull } from "./away.ts";

export interface Patience {
  readonly log: { readonly warn: (about: object, text: string) => void };
  /** What to do when it does not answer at all. */
  readonly advice: string;
  /** The process is being stopped: an error is no reason to wait any longer. */
  readonly isStopped?: () => boolean;
  readonly waitMs?: number;
  readonly pauseMs?: number;
}

/**
 * Repeats a step of the start while the database does not answer: after a kill it recovers first, and on a loaded
 * machine each connection takes seconds. Errors: those of the step; Error with the advice.
 */
export async function untilAnswered<Result>(
  step: () => Promise<Result>,
  { log, advice, isStopped = () => false, waitMs = 120_000, pauseMs = 1_000 }: Patience,
): Promise<Result> {
  const deadline = performance.now() + waitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (isStopped() || !isDatabaseAway(error) || isStorageFull(error)) throw error;
      if (performance.now() >= deadline)
        throw new Error(`The database has not answered for ${String(waitMs / 1000)} s. ${advice}`, {
          cause: error,
        });
      if (attempt === 1) log.warn({ err: error }, "the database does not answer yet; the start waits for it");
      await sleep(pauseMs);
    }
  }
}
