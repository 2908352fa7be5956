import type { Database, Services, Stop } from "#core";
import { CodecPool } from "./sandbox/pool.ts";

const pools = new WeakMap<Database, CodecPool>();

/** The workers of this process that run codecs; none is started before the first codec is called. */
export function poolOf({ database }: Pick<Services, "database">): CodecPool {
  let pool = pools.get(database);
  if (!pool) pools.set(database, (pool = new CodecPool()));
  return pool;
}

/** Ends the workers; payloads that wait fail and rest in the log, from where they can be decoded again. */
export const stopPool =
  ({ database }: Services): Stop =>
  async () => {
    const pool = pools.get(database);
    pools.delete(database);
    await pool?.close();
  };
