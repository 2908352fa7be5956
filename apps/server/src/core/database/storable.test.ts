import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, type Database } from "./database.ts";
import { storableJson, storableText } from "./storable.ts";
import { openTestDatabase, type TestDatabase } from "#testing/database";

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await openTestDatabase();
  database = openDatabase({ ...own.connection, max: 2 });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

/** Any sequence of UTF-16 code units: controls, NULs, lone surrogates and pairs. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(0, 0x5c, 0x22, 0x75, 0xd800, 0xdbff, 0xdc00, 0xdfff),
      fc.integer({ min: 0, max: 0xffff }),
    ),
    { maxLength: 40 },
  )
  .map((units) => String.fromCharCode(...units));
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("PostgreSQL accepts any text, alone and in a list", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const { rows } = await database.pool.query<{ one: string; many: string[] }>(
        "select $1::text as one, $2::text[] as many",
        [text, [text, "b"]],
      );

      expect(rows[0]).toEqual({ one: storableText(text), many: [storableText(text), "b"] });
    }),
    { numRuns: 300 },
  );
});

test("PostgreSQL stores and returns any JSON", async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, async (value) => {
      const text = storableJson({ value });
      const { rows } = await database.pool.query<{ sent: unknown; object: unknown }>(
        "select $1::jsonb as sent, $2::jsonb as object",
        [text, { value }],
      );

      expect(rows[0]?.sent).toEqual(JSON.parse(text));
      expect(rows[0]?.object).toEqual(JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});

test("text that PostgreSQL accepts is not changed, however much it looks like an escape", () => {
  const plain = { "a\\u0000": "\\ud800 \u{1F525} \\\\u0000", n: [1, null, { b: "x" }] };

  expect(storableJson(plain)).toBe(JSON.stringify(plain));
  expect(storableText("\u{1F525}\\u0000")).toBe("\u{1F525}\\u0000");
});

test("NUL, unpaired surrogates and property names are replaced, and distinct texts stay distinct", () => {
  expect(JSON.parse(storableJson({ "a\0": "b\0c", d: ["\ud800x", "x\udc00"] }))).toEqual({
    "a\uFFFD": "b\uFFFDc",
    d: ["\uFFFDx", "x\uFFFD"],
  });
  expect(storableText("M-1\0")).not.toBe("M-1");
});

test("statements through Kysely, prepared ones and checked-out connections are cleaned alike", async () => {
  const client = await database.pool.connect();
  try {
    const named = { name: "cleaned", text: "select $1::text as t", values: ["a\0b"] };
    expect((await client.query<{ t: string }>(named)).rows).toEqual([{ t: "a\uFFFDb" }]);
    expect((await client.query<{ t: string }>(named)).rows).toEqual([{ t: "a\uFFFDb" }]);
  } finally {
    client.release();
  }
  const { rows } = await database.pool.query<{ n: number }>("select 1 as n");
  expect(rows).toEqual([{ n: 1 }]);
});
