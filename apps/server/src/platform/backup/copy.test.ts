import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "#testing/database";
import { copyIn, copyOut } from "./copy.ts";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => (database = await openTestDatabase()));
afterAll(() => database.drop());
beforeEach(async () => {
  client = new pg.Client({ ...database.connection });
  client.on("error", () => undefined);
  await client.connect();
});
afterEach(() => client.end());

async function bytesOf(pieces: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    // The reader is slower than PostgreSQL, as a compressor is.
    await sleep(1);
  }
  return bytes;
}

/** Copies of 1.00 to 1.10 MB: the end of some lies in the read that fills a chunk. */
const copies = 100;
const rowBytes = 1_000;
const copyBytes = (rows: number): number => 19 + rows * (2 + 4 + rowBytes) + 2;
const copyText = (rows: number): string =>
  `copy (select repeat('x', ${String(rowBytes)}) from generate_series(1, ${String(rows)})) to stdout (format binary)`;

describe("PROD-036 rows leave and enter the database by COPY", () => {
  test("the connection answers after the copy of a table of any size about a megabyte", async () => {
    for (let n = 0; n < copies; n++) {
      const rows = 1_000 + Math.floor((n * 100) / copies);
      expect(await bytesOf(copyOut(client, copyText(rows)))).toBe(copyBytes(rows));
      expect((await client.query<{ n: number }>("select 1 as n")).rows).toEqual([{ n: 1 }]);
    }
  });

  test("chunks have about a megabyte, and the connection is of use afterwards", async () => {
    const sizes: number[] = [];
    for await (const piece of copyOut(client, copyText(5_000))) sizes.push(piece.length);

    expect(sizes).toHaveLength(5);
    expect(Math.max(...sizes)).toBeLessThan(1.5 * 1024 * 1024);
    expect((await client.query<{ n: number }>("select 1 as n")).rows).toEqual([{ n: 1 }]);
  });

  test("a reader that stops in the middle lets the connection end", async () => {
    for await (const piece of copyOut(client, copyText(50_000))) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }

    await client.end();
    client = new pg.Client({ ...database.connection });
    await client.connect();
  });

  test("a statement that fails, and a connection that is lost, are errors of the reader", async () => {
    await expect(bytesOf(copyOut(client, "copy nothing to stdout"))).rejects.toMatchObject({ code: "42P01" });
    await expect(
      bytesOf(
        copyOut(
          client,
          "copy (select pg_terminate_backend(pg_backend_pid()) from generate_series(1, 9)) to stdout",
        ),
      ),
    ).rejects.toThrow();
    client = new pg.Client({ ...database.connection });
    await client.connect();
  });

  test("an error of the source fails the statement, and nothing of it is stored", async () => {
    await client.query("create table copied (text text)");
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from("one\n");
      await sleep(1);
      throw new Error("the file ends too early");
    }
    async function* whole(): AsyncGenerator<Buffer> {
      for (let n = 0; n < 3; n++) yield await Promise.resolve(Buffer.from(`${"x".repeat(1024 * 1024)}\n`));
    }

    await expect(copyIn(client, "copy copied from stdin", failing())).rejects.toThrow("ends too early");
    await copyIn(client, "copy copied from stdin", whole());

    const { rows } = await client.query<{ n: number; bytes: number }>(
      "select count(*)::int as n, sum(length(text))::int as bytes from copied",
    );
    expect(rows).toEqual([{ n: 3, bytes: 3 * 1024 * 1024 }]);
  });
});
