import { expect, test } from "vitest";
import type { Listener } from "./notify.ts";
import { startRounds } from "./rounds.ts";

/** A listener whose notifications are sent by the test, and rounds that the test ends. */
function desk() {
  const callbacks = new Set<(payload: string) => void>();
  const listener: Listener = {
    on(_, callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    isAlive: () => true,
    close: () => Promise.resolve(),
  };
  const open: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  let begun = 0;
  return {
    listener,
    callbacks,
    begun: () => begun,
    round: () => {
      begun += 1;
      return new Promise<void>((resolve, reject) => open.push({ end: resolve, fail: reject }));
    },
    end: () => open.shift()?.end(),
    fail: (error: Error) => open.shift()?.fail(error),
    notify: () => callbacks.forEach((callback) => callback("")),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const hourMs = 3_600_000;

test("a round runs at the start and after notifications and requests, never two at once", async () => {
  const { listener, round, begun, end, notify } = desk();
  const rounds = startRounds({
    everyMs: hourMs,
    on: { listener, channels: ["orders"] },
    round,
    onError: () => undefined,
  });
  await settled();
  notify();
  rounds.again();
  notify();
  await settled();
  const first = begun();
  end();
  await settled();
  const second = begun();
  notify();
  end();
  await settled();
  const third = begun();
  end();
  await settled();
  const afterAll = begun();
  await rounds.stop();

  // Whatever arrives during a round is one more round, however much arrives.
  expect([first, second, third, afterAll]).toEqual([1, 2, 3, 3]);
});

test("a round is repeated at intervals", async () => {
  let begun = 0;

  await new Promise<void>((resolve) => {
    const rounds = startRounds({
      everyMs: 5,
      round: () => {
        begun += 1;
        if (begun === 3) void rounds.stop().then(resolve);
        return Promise.resolve();
      },
      onError: () => undefined,
    });
  });

  expect(begun).toBe(3);
});

test("a failed round is reported, and the next one runs", async () => {
  const { listener, round, begun, end, fail } = desk();
  const errors: unknown[] = [];
  const rounds = startRounds({
    everyMs: hourMs,
    on: { listener, channels: [] },
    round,
    onError: (error) => errors.push(error),
  });
  await settled();
  const error = new Error("the database is unavailable");
  fail(error);
  rounds.again();
  await settled();
  end();
  await rounds.stop();

  expect(errors).toEqual([error]);
  expect(begun()).toBe(2);
});

test("stopping waits for the current round, starts no other and unsubscribes", async () => {
  const { listener, callbacks, round, begun, end } = desk();
  const rounds = startRounds({
    everyMs: hourMs,
    on: { listener, channels: ["orders"] },
    round,
    onError: () => undefined,
  });
  await settled();
  rounds.again();
  const subscribed = callbacks.size;
  let isOver = false;
  const stopped = rounds.stop().then(() => (isOver = true));
  await settled();
  const wasOver = isOver;
  end();
  await stopped;

  expect(subscribed).toBe(1);
  expect(wasOver).toBe(false);
  expect([begun(), callbacks.size, rounds.isStopped()]).toEqual([1, 0, true]);
});
