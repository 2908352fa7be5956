import { expect, it } from "vitest";
import { pageSize } from "./values.ts";

it("a requested size is clamped down to an allowed one, never below the smallest", () => {
  expect([1, 10, 11, 99, 100, 999, 2500, 10_000].map((asked) => pageSize(asked))).toEqual([
    10, 10, 10, 50, 100, 500, 1000, 1000,
  ]);
  expect([pageSize(9999, 10_000), pageSize(10_000, 10_000), pageSize(500, 100)]).toEqual([2500, 10_000, 100]);
});
