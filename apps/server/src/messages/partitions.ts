import type pg from "pg";

/** Any number that nothing else locks on: one process at a time makes partitions. */
const partitionLock = 7_301_002;

/** Makes the monthly partitions of `message` when a month is first touched; months are UTC. */
export interface Partitions {
  /** Resolves when every month of these times can be written. */
  ensure(times: Iterable<number>): Promise<void>;
}

export function createPartitions(pool: pg.Pool): Partitions {
  const known = new Set<number>();
  return {
    async ensure(times) {
      const missing = new Set<number>();
      let last: [number, number] = [0, 0];
      for (const at of times) {
        if (at >= last[0] && at < last[1]) continue;
        last = monthOf(at);
        if (!known.has(last[0])) missing.add(last[0]);
      }
      for (const from of [...missing].sort((a, b) => a - b)) {
        await make(pool, from);
        known.add(from);
      }
    },
  };
}

/** First second of the UTC month of an instant, and of the next one. */
function monthOf(at: number): [number, number] {
  const date = new Date(at * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return [Date.UTC(year, month) / 1000, Date.UTC(year, month + 1) / 1000];
}

/** Made apart and then attached, which lets readers and writers of the other months go on. */
async function make(pool: pg.Pool, from: number): Promise<void> {
  const [, to] = monthOf(from);
  const name = `message_${new Date(from * 1000).toISOString().slice(0, 7).replace("-", "_")}`;
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(`select pg_advisory_xact_lock(${String(partitionLock)})`);
    const { rows } = await client.query<{ there: boolean }>("select to_regclass($1) is not null as there", [
      name,
    ]);
    if (!rows[0]?.there) {
      await client.query(`create table ${name} (like message including defaults including constraints)`);
      await client.query(
        `alter table message attach partition ${name} for values from (${String(from)}) to (${String(to)})`,
      );
    }
    await client.query("commit");
    client.release();
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    client.release(true);
    throw error;
  }
}
