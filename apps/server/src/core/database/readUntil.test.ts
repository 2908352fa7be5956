import { expect, test } from "vitest";
import { systemClock } from "../time/clock.ts";
import type { Listener } from "../notify.ts";
import { impatientClock } from "#testing/clock";
import { readUntil, type Reading } from "./readUntil.ts";

const silent: Listener = { on: () => () => undefined, isAlive: () => true, close: () => Promise.resolve() };

/** A listener whose notifications are sent by the test, and a clock that the test advances. */
function desk() {
  const callbacks = new Set<(payload: string) => void>();
  let nowMs = 0;
  const listener: Listener = {
    on(_, callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    isAlive: () => true,
    close: () => Promise.resolve(),
  };
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  return {
    notify: (payload: string) => callbacks.forEach((callback) => callback(payload)),
    pass: (ms: number) => (nowMs += ms),
    listeners: () => callbacks.size,
    read: (reading: Pick<Reading<number>, "read"> & Partial<Reading<number>>) =>
      readUntil(
        { database: { listener }, clock },
        {
          isFinal: (n) => n === 2,
          channel: "ended",
          payload: "7",
          waitMs: 1000,
          pauseMs: 3_600_000,
          ...reading,
        },
      ),
  };
}

test("a notification that arrives during a read is not lost", async () => {
  const { notify, read, listeners } = desk();
  let n = 0;

  const result = await read({
    read: () => {
      if (n === 0) notify("7");
      return Promise.resolve((n += 1));
    },
  });

  expect([result, listeners()]).toEqual([2, 0]);
});

test("notifications about others are ignored, a lost one costs a delay", async () => {
  const { notify, read } = desk();
  let n = 0;

  const result = await read({
    read: () => {
      notify("8");
      return Promise.resolve((n += 1));
    },
    pauseMs: 5,
  });

  expect(result).toBe(2);
});

test("after the time limit the current result is returned, and after an error nothing is listened to", async () => {
  const { pass, read, listeners } = desk();
  const late = await read({
    read: () => {
      pass(1000);
      return Promise.resolve(1);
    },
  });
  const failed = read({ read: () => Promise.reject(new Error("away")) });

  await expect(failed).rejects.toThrow("away");
  expect([late, listeners()]).toEqual([1, 0]);
});

test("the last read is at the time limit, however long the pauses are", async () => {
  const clock = impatientClock();
  const began = clock.monotonicMs();
  const moments: number[] = [];

  await readUntil(
    { database: { listener: silent }, clock },
    {
      read: () => Promise.resolve(moments.push(Math.round((clock.monotonicMs() - began) / 1000))),
      isFinal: () => false,
      channel: "ended",
      payload: "7",
      waitMs: 100_000,
      pauseMs: 60_000,
    },
  );

  expect(moments).toEqual([0, 60, 100]);
});
