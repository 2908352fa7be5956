import { expect, test } from "vitest";
import { judgeInTurn, quickFiles } from "./turns.ts";

test("the quickest files of tests come first, slow ones not at all, unless all are", () => {
  const msOf = { slow: 9000, quick: 10, limit: 500 };

  expect(quickFiles(["slow", "limit", "unknown", "quick"], msOf, 500)).toEqual(["unknown", "quick", "limit"]);
  expect(quickFiles(["slow", "limit"], msOf, 499)).toEqual(["limit"]);
});

test("slow tests judge from the quickest on, and what has no turn is named once", async () => {
  const asked: number[] = [];
  const judge = ({ ms }: { readonly ms: number }): Promise<number[]> => {
    asked.push(ms);
    return Promise.resolve(ms > 2 ? [7, 8] : []);
  };

  expect(await judgeInTurn([{ ms: 5 }, { ms: 1 }, { ms: 3 }], judge)).toEqual(new Set([7, 8]));
  expect(asked).toEqual([1, 3, 5]);
});
