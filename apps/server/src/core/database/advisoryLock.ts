import { sql } from "kysely";
import type { Database, Db } from "./database.ts";

/** Key of a lock shared by the processes of an installation; each use has its own. */
type LockNumber = number;

type Deps = { readonly database: Pick<Database, "client"> };

/**
 * Runs while no other process holds the lock; undefined when one does. The lock has its own connection
 * and ends with it.
 */
export async function runAlone<Result>(
  deps: Deps,
  lock: LockNumber,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  return onConnection(deps, `select pg_try_advisory_lock(${String(lock)}) as locked`, (isLocked) =>
    isLocked === true ? run() : Promise.resolve(undefined),
  );
}

/** Runs once no other process holds the lock. */
export async function runInTurn<Result>(
  deps: Deps,
  lock: LockNumber,
  run: () => Promise<Result>,
): Promise<Result> {
  return onConnection(deps, `select pg_advisory_lock(${String(lock)})`, run);
}

async function onConnection<Result>(
  { database }: Deps,
  statement: string,
  run: (isLocked: unknown) => Promise<Result>,
): Promise<Result> {
  const client = database.client();
  // A connection that breaks fails its statement; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ locked?: unknown }>(statement);
    return await run(rows[0]?.locked);
  } finally {
    await client.end();
  }
}

/** First key of the lock under which the tree of a company changes; also in migrations 0090 and 0095. */
const treeLock = 7_301_090;

/**
 * Waits until this transaction alone changes the objects tree of the company, or what is counted at its nodes;
 * ends with it. Comes before the rows that change.
 */
export async function lockTree(db: Db, { companyId }: { readonly companyId: number }): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(treeLock)}, ${companyId}::int)`.execute(db);
}
