import type { PoolClient } from "pg";
import type { TestApi } from "./api.ts";

/**
 * Database statements of a call, without values. A rollback to a savepoint is normalised to its release,
 * which ends work that is not kept.
 */
export async function statementsOf({ services }: TestApi, run: () => Promise<unknown>): Promise<string[]> {
  const { pool } = services.database;
  const sent: string[] = [];
  const restores: (() => void)[] = [];
  const watch = (client: PoolClient): void => {
    const ask = client.query.bind(client);
    restores.push(() => Object.assign(client, { query: ask }));
    Object.assign(client, {
      query: (first: { text?: string } | string, ...rest: never[]) => {
        sent.push(typeof first === "string" ? first : (first.text ?? ""));
        return (ask as (...given: unknown[]) => unknown)(first, ...rest);
      },
    });
  };
  pool.on("acquire", watch);
  await run();
  pool.off("acquire", watch);
  for (const restore of restores.reverse()) restore();
  return sent.map((each) => each.replace("rollback to", "release"));
}
