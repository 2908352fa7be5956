import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { Scope } from "./scope.ts";
import type { Tables } from "./tables.ts";
import { checkDone, setPipeline } from "./transaction.ts";
import type { Turns } from "./turns.ts";

/**
 * What the statements of a transaction see: each the latest committed rows, which "only" does not let them change; or
 * all of them the rows at its start, which they cannot change.
 */
export type Reads = "latest" | "only" | "snapshot";

/** How long a call waits for a lock that another transaction holds. */
const lockMs = 10_000;

interface UnitOptions {
  readonly reads?: Reads | undefined;
  /** Bounds of the calls of a company; absent for background work. */
  readonly turns?: Turns | undefined;
}

/**
 * A transaction that begins with its first query: a call without queries costs the database nothing. BEGIN and statements
 * issued at the same time are sent without waiting for each other's answers.
 */
export class Unit {
  readonly #pool: pg.Pool;
  readonly #scope: Scope;
  readonly #options: UnitOptions;
  #opened: Promise<Opened> | undefined;
  #endTurn: (() => void) | undefined;
  #isOver = false;
  #db: Kysely<Tables> | undefined;

  constructor(pool: pg.Pool, scope: Scope, options: UnitOptions = {}) {
    this.#pool = pool;
    this.#scope = scope;
    this.#options = options;
  }

  get db(): Kysely<Tables> {
    return (this.#db ??= onClient(() => (this.#opened ??= this.#open())));
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** Ends the transaction if a query has run. A further query, as of a page that is still read, is an error. */
  async finish(how: "commit" | "rollback"): Promise<void> {
    this.#isOver = true;
    await this.#close(how);
  }

  /** Rolls back and gives the connection back; a further query begins another transaction. */
  async giveBack(): Promise<void> {
    await this.#close("rollback");
  }

  async #close(how: "commit" | "rollback"): Promise<void> {
    const opened = this.#opened;
    if (!opened) return;
    this.#opened = undefined;
    try {
      await end(opened, how);
    } finally {
      this.#endTurn?.();
    }
  }

  async #open(): Promise<Opened> {
    if (this.#isOver) throw new Error("the transaction of the call has ended");
    const { turns, reads = "latest" } = this.#options;
    if (!turns) return open(this.#pool, beginText(this.#scope, reads));
    this.#endTurn = await turns.take(String(this.#scope.companyId));
    return open(this.#pool, beginText(this.#scope, reads, `; set local lock_timeout = ${String(lockMs)}`));
  }
}

export async function runScoped<Result>(
  unit: Unit,
  run: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  let result: Result;
  try {
    result = await run(unit.db);
  } catch (error) {
    await unit.finish("rollback");
    throw error;
  }
  await unit.finish("commit");
  return result;
}

/** A connection and its BEGIN, which may be under way. */
interface Opened {
  readonly client: pg.PoolClient;
  readonly begun: Promise<unknown>;
}

async function open(pool: pg.Pool, text: string): Promise<Opened> {
  const client = await pool.connect();
  setPipeline(client, true);
  const begun = client.query(text);
  // Each statement reports it.
  begun.catch(() => undefined);
  return { client, begun };
}

/** The values are integers and a path of integers and dots, so they are safe in the text. */
const beginText = ({ companyId, companyPath }: Scope, reads: Reads, settings = ""): string =>
  `begin${howBegun[reads]}${settings}; set local role metrum_api; ` +
  `set local metrum.company = '${String(Number(companyId))}'; ` +
  `set local metrum.company_path = '${companyPath.replaceAll(/[^0-9.]/g, "")}'`;

const howBegun = {
  latest: "",
  only: " read only",
  snapshot: " isolation level repeatable read read only",
} as const satisfies Record<Reads, string>;

/**
 * One transaction of the system in one round trip: BEGIN, the statements of `run` and COMMIT. A statement that would
 * follow from the answer to another is refused.
 */
export async function atOnce<Result>(
  pool: pg.Pool,
  run: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const opened = await open(pool, "begin");
  let isSent = false;
  const running = run(
    onClient(() =>
      isSent ? Promise.reject(new Error("a statement came after COMMIT")) : Promise.resolve(opened),
    ),
  );
  running.catch(() => undefined);
  // The statements are sent within this turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  isSent = true;
  const [done, ended] = await Promise.allSettled([running, end(Promise.resolve(opened), "commit")]);
  if (done.status === "rejected") throw done.reason;
  if (ended.status === "rejected") throw ended.reason;
  return done.value;
}

/**
 * Ends a transaction. A connection on which that fails is closed; the error of a failed rollback is not
 * reported.
 */
async function end(opened: Promise<Opened>, how: "commit" | "rollback"): Promise<void> {
  const open = await opened.catch(() => undefined);
  if (!open) return;
  const { client } = open;
  let ended: pg.QueryResult;
  try {
    ended = await client.query(how);
    await open.begun;
    setPipeline(client, false);
    client.release();
  } catch (error) {
    client.release(true);
    if (how === "commit") throw error;
    return;
  }
  checkDone(ended, how);
}

/** A Kysely handle whose every query runs on the client of the transaction. */
function onClient(opened: () => Promise<Opened>): Kysely<Tables> {
  const single: PostgresPool = {
    async connect() {
      const { client, begun } = await opened();
      const send: (...given: unknown[]) => unknown = client.query.bind(client);
      // What was sent behind a BEGIN that failed has no answer but its failure.
      const query = async (...given: unknown[]): Promise<unknown> => {
        const [, answer] = await Promise.all([begun, send(...given)]);
        return answer;
      };
      return { query: query as PostgresPoolClient["query"], release: () => undefined };
    },
    end: () => Promise.resolve(),
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: single }) });
}
