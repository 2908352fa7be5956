import { expect, test } from "vitest";
import { untilAnswered } from "./untilAnswered.ts";

/** The words of the pool when a connection takes longer than its limit. */
const late = (): Error => new Error("Connection terminated due to connection timeout");
const warned: string[] = [];
const patience = {
  log: { warn: (_: object, text: string) => void warned.push(text) },
  advice: "See database.log.",
  pauseMs: 1,
};

test("a start after a kill waits for a database that recovers, and says so once", async () => {
  let attempts = 0;

  const done = await untilAnswered(() => {
    attempts += 1;
    return attempts < 4 ? Promise.reject(late()) : Promise.resolve("started");
  }, patience);

  expect([done, attempts, warned]).toEqual([
    "started",
    4,
    ["the database does not answer yet; the start waits for it"],
  ]);
});

test("a database that never answers ends the start with what to do; any other error ends it at once", async () => {
  await expect(untilAnswered(() => Promise.reject(late()), { ...patience, waitMs: 20 })).rejects.toThrow(
    /has not answered for 0\.02 s\. See database\.log\./,
  );
  let attempts = 0;
  for (const error of [
    new Error("migration 0001-companies failed"),
    Object.assign(new Error("no space"), { code: "53100" }),
  ])
    await expect(
      untilAnswered(() => {
        attempts += 1;
        return Promise.reject(error);
      }, patience),
    ).rejects.toBe(error);

  expect(attempts).toBe(2);
});
