import { CompiledQuery } from "kysely";
import type pg from "pg";
import type { Db } from "#core";

interface Query {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * The transaction of a call as the client that computations of days take, with the rights of the session. Answers
 * `query` alone, and prepares no statements.
 */
export function clientOf(db: Db): pg.ClientBase {
  const query = (given: Query | string, values: readonly unknown[] = []) => {
    const { text, values: own = values } = typeof given === "string" ? { text: given } : given;
    return db.executeQuery(CompiledQuery.raw(text, [...own]));
  };
  return { query } as unknown as pg.ClientBase;
}
