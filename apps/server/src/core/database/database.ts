import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import { createListener, type Listener } from "../notify.ts";
import type { Scope } from "./scope.ts";
import type { Tables } from "./tables.ts";

/** A handle to run queries on: the pool or a transaction. In a transaction it is again named `db`. */
export type Db = Kysely<Tables>;

// int8 and numeric arrive as numbers: no value of ours exceeds 2^53 (ids are int4, times are seconds or milliseconds).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface Database {
  readonly pool: pg.Pool;
  /** Sees every company: for background work and for what happens before a session exists. Never hand it to a call's rule. */
  readonly system: Kysely<Tables>;
  /**
   * Runs in one transaction under the role of the API and the company of the session: the second wall between
   * companies (security rule 1.4). Committed when `run` resolves. The transaction begins with the first query, so a
   * call that asks the database nothing costs it nothing.
   */
  scoped<Result>(scope: Scope, run: (db: () => Db) => Promise<Result>): Promise<Result>;
  /** A connection of its own beside the pool, not yet open. Whoever takes it ends it. */
  client(): pg.Client;
  /** Notifications from other processes. */
  readonly listener: Listener;
  close(): Promise<void>;
}

/** Opens a pool on a PostgreSQL 15 or newer. Nothing is connected before the first query. */
export function openDatabase(config: pg.PoolConfig): Database {
  const pool = new pg.Pool({ max: 16, connectionTimeoutMillis: 4_000, ...config });
  // An idle connection that breaks (restart of the server) is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const system = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const client = (): pg.Client =>
    new pg.Client({ connectionTimeoutMillis: 4_000, keepAlive: true, ...config });
  const listener = createListener(client);
  return {
    pool,
    system,
    client,
    listener,
    scoped: (scope, run) => runScoped(pool, scope, run),
    async close() {
      await listener.close();
      await system.destroy();
      // Kysely ends the pool only when a query went through it.
      if (!pool.ending) await pool.end();
    },
  };
}

async function runScoped<Result>(
  pool: pg.Pool,
  scope: Scope,
  run: (db: () => Db) => Promise<Result>,
): Promise<Result> {
  let opened: Promise<pg.PoolClient> | undefined;
  let db: Db | undefined;
  const open = (): Promise<pg.PoolClient> => (opened ??= begin(pool, scope));
  let result: Result;
  try {
    result = await run(() => (db ??= onClient(open)));
  } catch (error) {
    await finish(opened, "rollback");
    throw error;
  }
  await finish(opened, "commit");
  return result;
}

async function begin(pool: pg.Pool, scope: Scope): Promise<pg.PoolClient> {
  const client = await pool.connect();
  try {
    // One round trip; the values are our own integers and a path of integers and dots, so they may stand in the text.
    await client.query(
      `begin; set local role metrum_api; select set_config('metrum.company', '${String(Number(scope.companyId))}', true), ` +
        `set_config('metrum.company_path', '${scope.companyPath.replaceAll(/[^0-9.]/g, "")}', true)`,
    );
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Ends a transaction if one was begun. A connection on which that fails is thrown away; a failed rollback is no news. */
async function finish(opened: Promise<pg.PoolClient> | undefined, how: "commit" | "rollback"): Promise<void> {
  const client = await opened?.catch(() => undefined);
  if (!client) return;
  try {
    await client.query(how);
    client.release();
  } catch (error) {
    client.release(true);
    if (how === "commit") throw error;
  }
}

/** A Kysely handle whose every query runs on the client of the transaction. */
function onClient(open: () => Promise<pg.PoolClient>): Db {
  const single: PostgresPool = {
    async connect() {
      const client = await open();
      return { query: client.query.bind(client), release: () => undefined };
    },
    end: () => Promise.resolve(),
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: single }) });
}
