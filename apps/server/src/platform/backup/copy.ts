import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from, to } from "pg-copy-streams";

const mebibyte = 1024 * 1024;

/**
 * Output of `COPY ... TO STDOUT`, in chunks of about a megabyte; PostgreSQL waits while they are not consumed. After
 * a reader has stopped in the middle of a table the connection can only be ended.
 */
export async function* copyOut(client: pg.ClientBase, text: string): AsyncGenerator<Buffer> {
  const rows = client.query(to(text));
  // The end of the connection is reported to a statement that nobody reads any longer.
  rows.on("error", () => undefined);
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < mebibyte) continue;
    yield Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
  }
  if (heldBytes > 0) yield Buffer.concat(held, heldBytes);
}

/** Feeds a `COPY ... FROM STDIN`; an error of the source fails the statement. */
export function copyIn(client: pg.ClientBase, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  return pipeline(source, client.query(from(text)));
}
