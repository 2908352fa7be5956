import type pg from "pg";

/**
 * Runs a transaction on a connection of its own and resolves after COMMIT. `run` begins it with its first statement, which may so be
 * the first of the work. A connection that cannot be rolled back is thrown away. Rejects when COMMIT has rolled back, as it does
 * without an error of its own where a statement had failed.
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

/** Throws when the end of a transaction was another one than was asked for. */
export function checkDone({ command }: pg.QueryResult, how: "commit" | "rollback"): void {
  if (command.toLowerCase() !== how)
    throw new Error("the transaction was rolled back, for one of its statements had failed");
}
