import type pg from "pg";
import type { Log, Stop } from "#core";
import { noteReceipts } from "#metering/device-state";
import { int4Array, int8Array } from "./arrays.ts";

/**
 * When each device was last heard of (`device_state.last_data_at`, `silent_at`). The two stand in the indexes of the
 * list, so an update of them costs as much as storing a reading: they follow within a second, once for all readings of
 * it, and never hold an acknowledgement up. What a kill forgets is put right at the next start from `device_latest`.
 */
export interface LastReceipts {
  note(lastReceipts: ReadonlyMap<number, number>): void;
  /** Resolves when everything noted so far is written. */
  settle(): Promise<void>;
  readonly stop: Stop;
}

const pauseMs = 1_000;
const atOnce = 5_000;

export function createLastReceipts(pool: pg.Pool, log: Log): LastReceipts {
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
        await writeLastReceipts(pool, batch.slice(from, from + atOnce)).catch((error: unknown) => {
          log.warn({ err: error }, "times of last data were not written; the next reading writes them");
        });
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
): Promise<void> {
  if (lastReceipts.length === 0) return;
  await noteReceipts(
    pool,
    int4Array(lastReceipts.map(([id]) => id)),
    int8Array(lastReceipts.map(([, at]) => at)),
  );
}
