import type pg from "pg";
import type { Clock, Log, Stop } from "#core";
import { noteReceipts } from "#metering/device-state";
import { aheadSec, int4Array, int8Array } from "../rows/index.ts";

/**
 * When each device was last received (`device_state.last_data_at`, `silent_at`). Both columns are in the
 * indexes of the list, so updating them costs as much as storing a reading: they follow within a second, once
 * for all readings of that second, and never delay an acknowledgement. Updates lost by a kill are restored
 * from `device_latest` at the next start.
 */
export interface LastReceipts {
  note(lastReceipts: ReadonlyMap<number, number>): void;
  /** Resolves when everything recorded so far is written. */
  settle(): Promise<void>;
  readonly stop: Stop;
}

const pauseMs = 1_000;
const atOnce = 5_000;

export function createLastReceipts(
  pool: pg.Pool,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): LastReceipts {
  let pending = new Map<number, number>();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const write = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running = running.then(async () => {
      const batch = [...pending].sort(([a], [b]) => a - b);
      pending = new Map();
      for (let from = 0; from < batch.length; from += atOnce)
        await writeLastReceipts(pool, batch.slice(from, from + atOnce), clock.now() + aheadSec).catch(
          (error: unknown) => {
            log.warn({ err: error }, "times of last data were not written; the next reading writes them");
          },
        );
    });
    return running;
  };

  return {
    note(lastReceipts) {
      for (const [id, at] of lastReceipts) if (at > (pending.get(id) ?? 0)) pending.set(id, at);
      if (!isStopped && pending.size > 0) timer ??= setTimeout(() => void write(), pauseMs).unref();
    },
    settle: write,
    async stop() {
      isStopped = true;
      await write();
    },
  };
}

async function writeLastReceipts(
  pool: pg.Pool,
  lastReceipts: readonly (readonly [number, number])[],
  latest: number,
): Promise<void> {
  if (lastReceipts.length === 0) return;
  await noteReceipts(pool, {
    ids: int4Array(lastReceipts.map(([id]) => id)),
    times: int8Array(lastReceipts.map(([, at]) => at)),
    latest,
  });
}
