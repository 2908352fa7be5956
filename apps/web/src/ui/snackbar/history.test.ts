import { expect, it, vi } from "vitest";
import { createHistory } from "./history.ts";
import { createSnackQueue } from "./queue.ts";

it("the last 50 messages are kept with their time, and counted until viewed", () => {
  const history = createHistory(() => 7);
  const queue = createSnackQueue(undefined, history.add);
  vi.useFakeTimers();
  for (let at = 1; at <= 60; at += 1) queue.show({ kind: "event-device", text: `Event ${String(at)}` });
  vi.useRealTimers();

  expect(history.get()).toHaveLength(50);
  expect(history.get()[0]).toMatchObject({ text: "Event 11", kind: "event-device", atSec: 7 });
  expect(history.unread()).toBe(50);

  history.markRead();
  expect([history.unread(), history.get().length]).toEqual([0, 50]);
  history.clear();
  expect(history.get()).toEqual([]);
});
