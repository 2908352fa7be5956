import type { Call } from "@metrum/contract/core";
import type { Text } from "@metrum/vocabulary";
import type { z } from "zod/mini";
import { cellReader, columnsOf, rowSchemas, type CellReader, type DatasetColumn } from "./columns.ts";
import type { Schema } from "./fields.ts";
import { pagesOf } from "./pages.ts";

/** Input of a data set: that of its list. */
export interface DatasetInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * A table of typed columns that one domain computes: every list whose call declares `rows`. Files of lists are made of
 * it, as are all other surfaces, so a number is the same on each of them.
 */
export interface Dataset {
  /** That of the call. */
  readonly id: string;
  /** Undefined where only a screen names it. */
  readonly title: Text | undefined;
  /** The rule of the call; whoever runs the data set has checked it. */
  readonly right: string | null;
  /** Schema of the body, of which page and page size have no effect. */
  readonly parameters: z.ZodMiniType | undefined;
  readonly columns: readonly DatasetColumn[];
  /** Schemas of a row, which may also have lists of values. */
  readonly row: readonly Schema[];
  /** Fields whose values must be equal for the values of rows to be added up; undefined: nothing is added up. */
  readonly totalsBy: readonly string[] | undefined;
  /**
   * Pages of rows in constant memory, inside the rights, the branch and the company of the context, which is that of a
   * call on one snapshot of the database. The first page was read without an error. Problems: those of the call,
   * file_too_long.
   */
  readonly rows: (ctx: unknown, input: DatasetInput) => Promise<AsyncIterable<readonly unknown[]>>;
  /** Reads the cells of a column; undefined if there is none, as for a list of values. */
  readonly reader: (id: string) => CellReader | undefined;
}

type Handler = (input: unknown, ctx: unknown) => unknown;

/** The data set of a list. Errors: Error for a column that its rows do not have. */
export function datasetOf(call: Call, handler: Handler): Dataset {
  const columns = columnsOf(call);
  const readers = new Map(columns.map((column) => [column.id, cellReader(column)]));
  return {
    id: call.id,
    title: call.ownFile?.title,
    right: call.right ?? null,
    parameters: call.body,
    columns,
    row: rowSchemas(call),
    totalsBy: call.ownFile?.totalsBy,
    rows: (ctx, { body, ...input }) =>
      pagesOf({ call, body, ask: (part) => handler({ ...input, body: part }, ctx) }),
    reader: (id) => readers.get(id),
  };
}
