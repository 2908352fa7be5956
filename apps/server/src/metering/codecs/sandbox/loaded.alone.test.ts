import { Worker } from "node:worker_threads";
import { getQuickJS } from "quickjs-emscripten";
import { afterEach, expect, test, vi } from "vitest";
import { interpret } from "./interpreter.ts";
import { limits, type Order } from "./order.ts";
import { CodecPool } from "./pool.ts";
import { watch } from "./thread.ts";

/** Some milliseconds of work, with many clock reads. */
const working: Order = {
  source: `function decodeUplink() { let sum = 0; for (let i = 0; i < 300000; i++) sum += i; return { data: { sum } }; }`,
  call: "decodeUplink",
  bytes: [1],
  fPort: 1,
  recvTimeMs: 0,
};
const endless: Order = { ...working, source: "function decodeUplink() { for (;;); }" };

/** A wall clock on which every read costs four milliseconds, as on an overloaded machine. */
function slowWall(): () => number {
  let nowMs = 0;
  return () => (nowMs += 4);
}

afterEach(() => {
  vi.useRealTimers();
});

test("DEV-055: a codec that hardly computes is not ended by a wall clock that jumps ahead", async () => {
  const quickjs = await getQuickJS();
  let computed = 100;

  const outcome = interpret(quickjs, working, { wallMs: slowWall(), computedMs: () => (computed += 0.1) });

  expect(outcome).toMatchObject({ kind: "answer" });
});

test("DEV-055: an endless loop is ended by CPU time, or else by elapsed time", async () => {
  const quickjs = await getQuickJS();
  const began = performance.now();

  const byProcessor = interpret(quickjs, endless, {
    wallMs: slowWall(),
    computedMs: () => performance.now() - began + 1,
  });
  const byWall = interpret(quickjs, endless, { wallMs: slowWall(), computedMs: () => undefined });

  for (const outcome of [byProcessor, byWall])
    expect(outcome).toMatchObject({ kind: "failed", failure: "time" });
});

test("DEV-055: a worker without CPU time is spared up to the last limit, one that computes is not", () => {
  vi.useFakeTimers();
  const ended = { starved: 0, busy: 0 };
  const startedMs = performance.now();
  const sinceStart = () => performance.now() - startedMs;
  const stop = watch(
    () => 1,
    () => (ended.starved ||= sinceStart()),
  );
  watch(sinceStart, () => (ended.busy ||= sinceStart()));

  vi.advanceTimersByTime(limits.longestWallMs + 1_000);
  stop();

  expect(ended.busy).toBeLessThan(limits.threadMs + 2 * limits.computeMs);
  expect(ended.busy).toBeGreaterThanOrEqual(limits.threadMs);
  expect(ended.starved).toBeGreaterThanOrEqual(limits.longestWallMs);
});

test("DEV-055: well-behaved codecs answer on a machine whose processors are all busy", async () => {
  const pool = new CodecPool();
  await pool.run({ company: 1, codec: "first" }, working);
  const others = Array.from({ length: 8 }, () => new Worker("for (;;);", { eval: true }));
  try {
    const outcomes = [];
    for (let at = 0; at < 4; at++)
      outcomes.push(await pool.run({ company: 1, codec: `honest${String(at)}` }, working));

    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => "answer"));
  } finally {
    await Promise.all(others.map((other) => other.terminate()));
    await pool.close();
  }
});
