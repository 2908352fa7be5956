import { CompiledQuery } from "kysely";
import type pg from "pg";
import type { Db } from "#core";

/** Who asks: the transaction of a call, or a connection of background work. */
export type Reader = Db | pg.ClientBase | pg.Pool;

/** A statement with its parameters; connections prepare it under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The rows of a statement. */
export async function ask<Found extends pg.QueryResultRow>(
  reader: Reader,
  { name, text, values }: Statement,
): Promise<Found[]> {
  if ("executeQuery" in reader)
    return (await reader.executeQuery<Found>(CompiledQuery.raw(text, [...values]))).rows;
  return (await reader.query<Found>({ name, text, values: [...values] })).rows;
}
