import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubBrowser } from "#testing/browser.ts";
import { whenReady } from "./whenReady.ts";

let browser: EventTarget;
let status = 503;
const fetched = vi.fn(() => Promise.resolve(new Response(null, { status })));
beforeEach(() => {
  vi.useFakeTimers();
  browser = stubBrowser();
  status = 503;
  fetched.mockClear();
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a starting server is polled with growing pauses until it is ready, and announced once", async () => {
  const onReady = vi.fn();
  whenReady(onReady);

  await vi.advanceTimersByTimeAsync(7000);
  expect([fetched.mock.calls.length, onReady.mock.calls.length]).toEqual([3, 0]);
  status = 200;
  await vi.advanceTimersByTimeAsync(60_000);

  expect([fetched.mock.calls.length, onReady.mock.calls.length]).toEqual([4, 1]);
});

it("a starting server is polled at once when the network is back, and no longer when cancelled", async () => {
  const onReady = vi.fn();
  const stop = whenReady(onReady);

  browser.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledOnce();
  stop();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(fetched).toHaveBeenCalledOnce();
  expect(onReady).not.toHaveBeenCalled();
});
