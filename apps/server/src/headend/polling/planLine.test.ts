import { expect, test } from "vitest";
import { planLine, type LineDevice, type LineFacts } from "./planLine.ts";

const now = 1_800_000_000;

const aDevice = (id: number, more: Partial<LineDevice> = {}): LineDevice => ({
  ...{ id, isOwn: true, dueAt: now, isWaiting: true, isOff: false, isSilent: false },
  ...{ intervalSec: 3600, exchangeSec: 10 },
  ...more,
});

const plan = (devices: readonly LineDevice[], more: Partial<LineFacts> = {}) =>
  planLine({
    ...{ now, pauseSec: 0, devices, ahead: { count: 0, eachSec: 0 }, running: undefined, block: undefined },
    ...more,
  });

test("POLL-022: devices of a line are polled one after another; the end follows from the sum of their measured times", () => {
  const { state, reason, starts_at, ends_at, exchange_sec, left_count, waiting_count } = plan([
    aDevice(1),
    aDevice(2, { exchangeSec: 20 }),
    aDevice(3, { exchangeSec: 6 }),
  ]);

  expect({ state, reason, starts_at, ends_at }).toEqual({
    state: "waiting",
    reason: "queue",
    starts_at: now,
    ends_at: now + 36,
  });
  expect([exchange_sec, left_count, waiting_count]).toEqual([10, 3, 3]);
});

test("POLL-022: the running job and the requests ahead in the queue come first", () => {
  const running = { isOwn: true, startedAt: now - 4, usualSec: 10 };
  const ahead = { count: 3, eachSec: 8 };

  const { state, reason, starts_at, ends_at, ahead_count } = plan([aDevice(1), aDevice(2)], {
    running,
    ahead,
  });
  const ofAnother = plan([aDevice(1)], { running: { ...running, isOwn: false } });
  const last = plan([], { running });

  expect({ state, reason, ahead_count }).toEqual({ state: "running", reason: null, ahead_count: 3 });
  expect([starts_at, ends_at]).toEqual([now + 6 + 24, now + 6 + 24 + 20]);
  expect([ofAnother.state, ofAnother.reason, ofAnother.starts_at]).toEqual(["waiting", "queue", now + 6]);
  expect([last.state, last.ends_at]).toEqual(["running", now + 6]);
});

test("POLL-022: behind a gateway with a pause polls begin at least that far apart, which also loads the line", () => {
  const { ends_at, load } = plan([aDevice(1), aDevice(2, { exchangeSec: 90 }), aDevice(3)], { pauseSec: 60 });

  expect(ends_at).toBe(now + 60 + 90 + 10);
  expect(load).toBeCloseTo((60 + 90 + 60) / 3600);
});

test("POLL-022: a device waits for its slot, and gives way to devices of other groups that are due before", () => {
  const own = aDevice(5, { dueAt: now + 100, isWaiting: false });
  const other = aDevice(2, { isOwn: false, dueAt: now + 90, isWaiting: false, exchangeSec: 30 });
  const later = aDevice(3, { isOwn: false, dueAt: now + 500, isWaiting: false, exchangeSec: 30 });

  const { state, reason, starts_at, ends_at, device_count } = plan([own, other, later]);

  expect([state, reason, device_count]).toEqual(["planned", "schedule", 1]);
  expect([starts_at, ends_at]).toEqual([now + 120, now + 130]);
});

test("POLL-022: a silent device takes as long as its failed exchanges did, so the line ends later", () => {
  const silent = [1, 2].map((id) => aDevice(id, { isSilent: true, exchangeSec: 45 }));

  const { silent_count, ends_at } = plan(silent);

  expect([silent_count, ends_at]).toEqual([2, now + 90]);
});

test.each(["not_connected", "no_port", "no_address"] as const)(
  "POLL-022: a line that cannot be opened (%s) asks nobody: it has no end",
  (reason) => {
    const found = plan([aDevice(1), aDevice(2)], { block: { reason, until: undefined } });

    expect(found).toMatchObject({ state: "stopped", reason, starts_at: null, ends_at: null, left_count: 2 });
  },
);

test("POLL-022: a line in use by a transparent port starts when the port is due to close", () => {
  const { state, reason, starts_at, ends_at } = plan([aDevice(1)], {
    block: { reason: "lent", until: now + 600 },
  });

  expect({ state, reason, starts_at, ends_at }).toEqual({
    state: "waiting",
    reason: "lent",
    starts_at: now + 600,
    ends_at: now + 610,
  });
});

test("POLL-022: switched-off devices are not polled and take no time", () => {
  const off = aDevice(2, { dueAt: undefined, isWaiting: false, isOff: true });

  const part = plan([aDevice(1), off]);
  const whole = plan([off]);
  const done = plan([aDevice(1, { dueAt: undefined, isWaiting: false })]);

  expect([part.off_count, part.left_count, part.ends_at]).toEqual([1, 1, now + 10]);
  expect([whole.state, whole.reason, whole.ends_at]).toEqual(["stopped", "switched_off", null]);
  expect([done.state, done.reason]).toEqual(["stopped", "nothing_due"]);
});

test("POLL-022: no end is given if neither a device nor a similar one was ever measured", () => {
  const { state, reason, starts_at, ends_at, load } = plan([
    aDevice(1),
    aDevice(2, { exchangeSec: undefined }),
  ]);

  expect({ state, reason, starts_at, ends_at, load }).toEqual({
    state: "waiting",
    reason: "not_measured",
    starts_at: null,
    ends_at: null,
    load: null,
  });
});

test("POLL-022: the load of a line includes every device at its own interval, also those of other groups", () => {
  const minutely = aDevice(1, { intervalSec: 60, exchangeSec: 45 });
  const hourly = aDevice(2, { isOwn: false, intervalSec: 3600, exchangeSec: 1800 });

  expect(plan([minutely, hourly]).load).toBeCloseTo(0.75 + 0.5);
});
