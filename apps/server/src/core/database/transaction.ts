import type pg from "pg";
import { sqlStateOf, sqlStates } from "./sqlState.ts";

/**
 * Runs a transaction on its own connection and resolves after COMMIT. `run` issues BEGIN together with
 * its first statement. A connection that cannot be rolled back is discarded. Rejects when COMMIT has rolled
 * back, which PostgreSQL does without an error after a failed statement.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  run: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await run(client);
    checkDone(await client.query("commit"), "commit");
    client.release();
    return result;
  } catch (error) {
    const isClean = await client.query("rollback").then(
      () => true,
      () => false,
    );
    client.release(!isClean);
    throw error;
  }
}

/**
 * Statements of a transaction that are sent without waiting for each other's answers; what one of these parts asks
 * because of an answer follows them. Rejects with the error of the statement that failed: those behind it are refused for
 * it alone, and a part before it may have sent one of them.
 */
export async function together<Parts extends readonly unknown[]>(
  client: pg.ClientBase,
  send: () => readonly [...{ [At in keyof Parts]: Promise<Parts[At]> }],
): Promise<Parts> {
  setPipeline(client, true);
  const parts: readonly Promise<unknown>[] = send();
  const ended = await Promise.allSettled(parts);
  setPipeline(client, false);
  const failed = ended.flatMap((part) => (part.status === "rejected" ? [part.reason as unknown] : []));
  if (failed.length > 0)
    throw failed.find((error) => sqlStateOf(error) !== sqlStates.inFailedTransaction) ?? failed[0];
  return (await Promise.all(parts)) as readonly unknown[] as Parts;
}

/** Whether a connection sends statements before it has the answers to those before; COPY needs one that does not. */
export function setPipeline(client: pg.ClientBase, pipeline: boolean): void {
  // The driver's types know it as an option of the connection only.
  Object.assign(client, { pipeline });
}

/**
 * Begins a transaction whose commit does not wait for the disk. For what is computed of stored data because of a mark:
 * the mark ends later in the same log, so a crash that takes the result brings the mark back, and the work is repeated.
 */
export const beginUnwaited = "begin; set local synchronous_commit = off";

/** The same for a statement of its own: one of its tables, of one row. */
export const unwaited = "(select set_config('synchronous_commit', 'off', true)) as unwaited";

/** Begins a transaction whose statements all see the rows at its start; it changes none and locks none. */
export const beginSnapshot = "begin isolation level repeatable read read only";

/** Throws when the transaction ended otherwise than requested. */
export function checkDone({ command }: pg.QueryResult, how: "commit" | "rollback"): void {
  if (command.toLowerCase() !== how)
    throw new Error("the transaction was rolled back, for one of its statements had failed");
}
