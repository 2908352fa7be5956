import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
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
   * companies (security rule 1.4). Committed when `run` resolves.
   */
  scoped<Result>(scope: Scope, run: (db: Db) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Opens a pool on a PostgreSQL 15 or newer. Nothing is connected before the first query. */
export function openDatabase(config: pg.PoolConfig): Database {
  const pool = new pg.Pool({ max: 16, connectionTimeoutMillis: 4_000, ...config });
  // An idle connection that breaks (restart of the server) is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const system = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    pool,
    system,
    scoped: (scope, run) => runScoped(pool, scope, run),
    close: () => system.destroy(),
  };
}

async function runScoped<Result>(
  pool: pg.Pool,
  scope: Scope,
  run: (db: Db) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    // One round trip; the values are our own integers and a path of integers and dots, so they may stand in the text.
    await client.query(
      `begin; set local role metrum_api; select set_config('metrum.company', '${String(Number(scope.companyId))}', true), ` +
        `set_config('metrum.company_path', '${scope.companyPath.replaceAll(/[^0-9.]/g, "")}', true)`,
    );
    const result = await run(onClient(client));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error(String(failure));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** A Kysely handle bound to one client whose transaction is already open. */
function onClient(client: pg.PoolClient): Db {
  const single: PostgresPool = {
    connect: () => Promise.resolve({ query: client.query.bind(client), release: () => undefined }),
    end: () => Promise.resolve(),
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: single }) });
}
