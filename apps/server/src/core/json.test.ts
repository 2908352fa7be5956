import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonOf } from "./json.ts";

const long = (entry: unknown): unknown[] => new Array(1_000).fill(entry);

test("a value with a long array is the same JSON as without", () => {
  const leaf = fc.oneof(
    fc.jsonValue(),
    fc.date({ noInvalidDate: true }),
    fc.constant(undefined),
    fc.constant(() => 0),
    fc.jsonValue().map(long),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof({ maxDepth: 5, withCrossShrink: true }, leaf, fc.dictionary(fc.string(), tie("value"))),
  }));

  fc.assert(
    fc.property(value, (given) => {
      const body = { data: given, msg: "Ө" };
      expect(String(jsonOf(body))).toBe(JSON.stringify(body));
    }),
  );
});

test("the long columns of an answer leave as bytes, its titles in all languages", () => {
  const body = {
    data: { columns: { datetime: long("2026-11-30 00:00:00"), power: long(1.5) }, title: "Хүч" },
  };

  const written = jsonOf(body);

  expect(written).toBeInstanceOf(Buffer);
  expect(JSON.parse(String(written))).toEqual(body);
  expect(jsonOf({ data: { title: "Хүч" } })).toBe('{"data":{"title":"Хүч"}}');
});
