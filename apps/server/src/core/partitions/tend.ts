import { runAlone } from "../database/advisoryLock.ts";
import type { Services } from "../http/context.ts";
import { makeAhead } from "./partitions.ts";
import { dropPartition, partitionsOf } from "./store.ts";
import { partitionedTables, type PartitionedTable } from "./tables.ts";

/** Lock key used for nothing else: one process at a time maintains the partitions. */
const tendingLock = 7_301_003;
/** Partitions of a table dropped per run; the rest follows with the next. */
const mostDropped = 12;

export interface Tended {
  /** Names, in the order in which they were dropped. */
  readonly dropped: readonly string[];
  /** Partitions that were in use for too long to be dropped now. */
  readonly busy: readonly string[];
  /**
   * End of the newest dropped partition before which no data is left; undefined when none was dropped. Epoch
   * seconds.
   */
  readonly goneTo: number | undefined;
}

type Deps = Pick<Services, "database" | "clock" | "log">;

/** Runs partition maintenance, one process at a time; undefined when another process is doing it. */
export function tendAlone<Result>(
  services: Pick<Services, "database">,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  return runAlone(services, tendingLock, run);
}

/** Creates the partitions of every table that will be needed next, so that batches of rows seldom have to. */
export async function makeAllAhead({ database, clock }: Deps): Promise<void> {
  for (const table of partitionedTables) await makeAhead(database.pool, table, clock.now());
}

/**
 * Drops the partitions of a table whose rows have all expired: those that end before `expiredTo`, epoch
 * seconds. Each drop is a separate transaction and blocks others for less than a second; a dozen per run.
 */
export async function dropExpired(
  { database, log }: Deps,
  table: PartitionedTable,
  expiredTo: number,
): Promise<Tended> {
  const expired = (await partitionsOf(database.pool, table)).filter(({ to }) => to <= expiredTo);
  const dropped: string[] = [];
  const busy: string[] = [];
  let goneTo: number | undefined;
  const client = await database.pool.connect();
  try {
    for (const { name, bytes, to } of expired.slice(0, mostDropped)) {
      if (!(await dropPartition(client, name))) {
        busy.push(name);
        log.warn({ partition: name }, "an expired partition is in use, it goes later");
        continue;
      }
      dropped.push(name);
      if (busy.length === 0) goneTo = to;
      log.info({ table: table.table, partition: name, bytes }, "an expired partition was dropped");
    }
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
  return { dropped, busy, goneTo };
}
