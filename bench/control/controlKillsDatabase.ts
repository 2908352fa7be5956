import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase, type Database } from "../../apps/server/src/core/index.ts";
import { startEmbedded, type EmbeddedDatabase } from "../../apps/server/src/core/database/embedded/index.ts";
import { processLockClass } from "../../apps/server/src/headend/channels/processes/processStore.ts";
import type { Installation } from "../failures/killsServer.ts";

/** What a killed process was sending has an outcome this long after the restart, or after the kill if none comes. */
export const endedWithinSec = 30;

/** The database of an installation stays where it was first found. */
const connections = new Map<string, EmbeddedDatabase["connection"]>();

async function connectionOf({ dataDir }: Installation): Promise<EmbeddedDatabase["connection"]> {
  const known = connections.get(dataDir);
  if (known) return known;
  const { connection, isOwner, stop } = await startEmbedded({ dataDir, log: () => undefined });
  if (isOwner) throw new Error("the server had gone");
  // Only the killed product brings it back, this process does not inherit it.
  await stop();
  connections.set(dataDir, connection);
  return connection;
}

export async function onDatabase<Result>(
  at: Installation,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const connection = await connectionOf(at);
  // A busy machine is no fault of what is measured.
  const database = openDatabase({ ...connection, max: 4, connectionTimeoutMillis: 60_000 });
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

/** One sending of one command: a command that is sent a second time has another time. */
interface Sent {
  readonly id: number;
  readonly attempts: number;
}

/** Of every process, or of those that have died. */
export type Senders = "all" | "dead";

const isAlive = `exists (select from pg_locks where locktype = 'advisory' and granted and objid = process_id
  and classid = ${String(processLockClass)} and database = (select oid from pg_database where datname = current_database()))`;

/** What is being sent over lines. Asked until the database answers, which may have been killed. */
export async function sentNow(at: Installation, of: Senders): Promise<readonly Sent[]> {
  for (;;) {
    const found = await onDatabase(at, ({ pool }) =>
      pool.query<Sent>(
        `select id::float8 as id, attempts from device_command where state = 'sending' and order_id is null
          and ($1 = 'all' or not ${isAlive})`,
        [of],
      ),
    ).catch(() => undefined);
    if (found) return found.rows;
    await sleep(100);
  }
}

/** Gives up long after the limit, which the figure shows. */
export async function secondsUntilEnded(at: Installation, sent: readonly Sent[]): Promise<number> {
  const sinceMs = performance.now();
  const seconds = (): number => (performance.now() - sinceMs) / 1000;
  while (seconds() < 5 * endedWithinSec) {
    const open = new Set((await sentNow(at, "all")).map(keyOf));
    if (!sent.some((each) => open.has(keyOf(each)))) break;
    await sleep(200);
  }
  return seconds();
}

const keyOf = ({ id, attempts }: Sent): string => `${String(id)} ${String(attempts)}`;
