import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { createListener, type Listener } from "../notify.ts";
import type { Log } from "../log.ts";
import { createStorageFaults, type StorageFaults } from "../storage.ts";
import { createReach, reconnectMs } from "./reach.ts";
import type { Scope } from "./scope.ts";
import { storableParameter } from "./storable.ts";
import type { Tables } from "./tables.ts";
import { createTurns } from "./turns.ts";
import { atOnce, runScoped, Unit, type Reads } from "./unit.ts";

/** A handle to run queries on: the pool or a transaction. In a transaction it is again named `db`. */
export type Db = Kysely<Tables>;

// int8 and numeric arrive as numbers: no value of ours exceeds 2^53 (ids are int4, times are seconds or
// milliseconds).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface Database {
  readonly pool: pg.Pool;
  /**
   * Unscoped handle: for background work and for queries before a session exists. Never pass it to a rule of
   * a call.
   */
  readonly system: Kysely<Tables>;
  /**
   * Runs in one transaction under the role of the API and the company of the session: the second barrier
   * between companies (security rule 1.4). Committed when `run` resolves.
   */
  scoped<Result>(scope: Scope, run: (db: Db) => Promise<Result>): Promise<Result>;
  /** One transaction of the system in one round trip; no statement of it may follow from the answer to another. */
  atOnce<Result>(run: (db: Db) => Promise<Result>): Promise<Result>;
  /** As `scoped` while another transaction is open, on a spare connection; undefined when the pool has none. */
  beside<Result>(scope: Scope, run: (db: Db) => Promise<Result>): Promise<Result> | undefined;
  /**
   * The same in two halves, for the code that serves calls: the caller must finish it. The calls of a company
   * use at most half of the pool, so that their waiting for each other does not stop another company. Problem
   * of its first query: busy.
   */
  unit(scope: Scope, reads?: Reads): Unit;
  /** A connection outside the pool, not yet open. The caller must end it. */
  client(): pg.Client;
  /** Notifications from other processes. */
  readonly listener: Listener;
  /** Whether the database failed to answer the last probe; false when it is not monitored. */
  readonly isAway: () => boolean;
  /** Whether the database has just refused to store something because its disk is full. */
  readonly isFull: () => boolean;
  /** Pause before a retry; cut short when an unavailable database answers again. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Starts monitoring whether the database answers; returns the function that stops it. From here on a connection is
   * waited for as briefly as calls need it, whatever the configuration says.
   */
  watch(log: Log): () => Promise<void>;
  close(): Promise<void>;
  /** The same without waiting for statements that run: they fail, and their transactions are rolled back. */
  abandon(): Promise<void>;
}

/** Opens a pool for PostgreSQL 15 or newer. The first query opens the first connection. */
export function openDatabase(config: pg.PoolConfig): Database {
  const reach = createReach();
  const own = named(config);
  const reached = { keepAlive: true, stream: reach.socket, ...own };
  const faults = createStorageFaults();
  const pool = openPool({ max: 16, connectionTimeoutMillis: connectMs, ...reached }, faults);
  // Calls that hold a connection of the first pool would wait for each other if they took a second one there.
  const secondPool = openPool(
    { connectionTimeoutMillis: connectMs, ...reached, max: secondConnections },
    faults,
  );
  const system = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const turns = createTurns({
    atOnce: Math.max(1, Math.floor(pool.options.max / 2)),
    waiting: mostWaiting,
    waitMs: turnMs,
  });
  const secondTurns = createTurns({
    atOnce: secondConnections / 2,
    waiting: mostWaiting,
    waitMs: turnMs,
  });
  // As the pool waits at this moment.
  const client = (): pg.Client =>
    new pg.Client({ ...reached, connectionTimeoutMillis: pool.options.connectionTimeoutMillis });
  const listener = createListener(client);
  const close = async (): Promise<void> => {
    await listener.close();
    await system.destroy();
    // Kysely ends the pool only if it has run a query.
    if (!pool.ending) await pool.end();
    await secondPool.end();
  };
  return {
    pool,
    system,
    client,
    listener,
    scoped: (scope, run) => runScoped(new Unit(secondPool, scope, { turns: secondTurns }), run),
    atOnce: (run) => atOnce(pool, run),
    beside: (scope, run) => (hasSpare(pool) ? runScoped(new Unit(pool, scope), run) : undefined),
    unit: (scope, reads) => new Unit(pool, scope, { reads, turns }),
    isAway: reach.isAway,
    isFull: faults.isFull,
    pause: reach.pause,
    watch(log) {
      for (const each of [pool, secondPool]) each.options.connectionTimeoutMillis = connectMs;
      return reach.watch(
        (socket) => new pg.Client({ ...own, connectionTimeoutMillis: reconnectMs, stream: () => socket }),
        log,
      );
    },
    close,
    async abandon() {
      const closed = close();
      reach.abandon();
      await closed;
    },
  };
}

/** Transactions of `scoped` at a time. */
const secondConnections = 6;
/** How long a connection is waited for. */
const connectMs = 4_000;
/** Calls of a company that wait for each other, without a connection, and for how long. */
const mostWaiting = 500;
const turnMs = 8_000;

function openPool(config: pg.PoolConfig, faults: StorageFaults): pg.Pool {
  const pool = new pg.Pool(config);
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on("error", () => undefined);
  // The same for a connection that breaks while in use: its user gets the error from the failing query.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    prepare(client, faults);
  });
  return pool;
}

/**
 * All connections of this pool share one unique name, by which `reach` finds those that PostgreSQL still
 * holds open.
 */
function named(config: pg.PoolConfig): pg.PoolConfig {
  const application_name = `metrum ${crypto.randomUUID()}`;
  if (config.connectionString === undefined) return { ...config, application_name };
  // A name in the URL would take precedence. `URL` cannot parse a socket:
  // postgres://user:password@/name?host=/run
  const connectionString = config.connectionString.replace(/(?<=[?&])application_name=[^&]*&?/, "");
  return { ...config, connectionString, application_name };
}

/**
 * Makes the client send only text that PostgreSQL accepts: a NUL character in a parameter would fail the
 * statement, and with it the batch or the transaction. Statements that are issued at the same time are sent one
 * after another, unless the connection is a pipeline: the driver no longer queues them itself. What the database
 * refuses for lack of space is noted.
 */
function prepare(client: pg.PoolClient, { note }: StorageFaults): void {
  const query: (...given: unknown[]) => unknown = client.query.bind(client);
  const sent = (given: readonly unknown[]): unknown[] => {
    const [statement, values, ...rest] = given;
    if (Array.isArray(values)) return [statement, values.map(storableParameter), ...rest];
    if (!isStatement(statement)) return [...given];
    return [{ ...statement, values: statement.values.map(storableParameter) }, values, ...rest];
  };
  let last: Promise<unknown> | undefined;
  const inOrder = (given: readonly unknown[]): unknown => {
    if (isOwnMaster(given)) return query(...sent(given).map((each) => noting(each, note)));
    if (client.pipeline) {
      const answer = query(...sent(given)) as Promise<unknown>;
      answer.catch(note);
      return answer;
    }
    const answer = (last ?? Promise.resolve()).then(() => query(...sent(given)));
    const settled: Promise<unknown> = answer.catch(note).finally(() => {
      if (last === settled) last = undefined;
    });
    last = settled;
    return answer;
  };
  Object.assign(client, { query: (...given: unknown[]) => inOrder(given) });
}

/** A callback of a statement that notes the error first; anything else unchanged. */
function noting(given: unknown, note: (error: unknown) => void): unknown {
  if (typeof given !== "function") return given;
  return (error: unknown, ...rest: unknown[]): unknown => {
    note(error);
    return Reflect.apply(given, undefined, [error, ...rest]);
  };
}

/** COPY and cursors submit themselves, and the pool waits for its own statements by a callback. */
function isOwnMaster(given: readonly unknown[]): boolean {
  const [statement] = given;
  const submits = typeof statement === "object" && statement !== null && "submit" in statement;
  return submits || given.some((each) => typeof each === "function");
}

/**
 * A statement with its parameters in one object, as opposed to objects that submit themselves (COPY,
 * cursors).
 */
function isStatement(given: unknown): given is { readonly values: readonly unknown[] } {
  const isObject = typeof given === "object" && given !== null;
  return isObject && "values" in given && Array.isArray(given.values) && !("submit" in given);
}

/** At most half of the pool serves second connections: holders that wait for each other would deadlock. */
function hasSpare(pool: pg.Pool): boolean {
  const inUse = pool.totalCount - pool.idleCount;
  return pool.waitingCount === 0 && inUse < pool.options.max / 2;
}
