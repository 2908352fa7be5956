import { expect, test } from "vitest";
import { atMostAtOnce } from "./few.ts";

test("a few run concurrently, all run, and a failed one frees its place", async () => {
  const few = atMostAtOnce(2);
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, at) =>
      few(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (at === 3) throw new Error("failed");
        return at;
      }),
    ),
  );

  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
});
