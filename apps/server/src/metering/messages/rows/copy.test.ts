import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestStore, type TestStore } from "#testing/readings";
import { copyFrom } from "./copy.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const text = "create temporary table copied (n int); copy copied from stdin";

test("data that cannot be serialised ends its COPY with the error, and the connection can be used again", async () => {
  const client = await store.services.database.pool.connect();
  function* broken(): Generator<Buffer> {
    yield Buffer.from("1\n");
    throw new Error("no such row");
  }

  await expect(copyFrom(client, text, broken())).rejects.toThrow("no such row");

  await copyFrom(client, text, [Buffer.from("1\n"), Buffer.from("2\n")]);
  expect((await client.query("select n from copied order by n")).rows).toEqual([{ n: 1 }, { n: 2 }]);
  client.release(true);
});

test("data of a statement that fails before its COPY is ignored", async () => {
  const client = await store.services.database.pool.connect();

  await expect(copyFrom(client, `select 1 / 0; ${text}`, [Buffer.from("1\n")])).rejects.toMatchObject({
    code: "22012",
  });

  expect((await client.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  client.release(true);
});
