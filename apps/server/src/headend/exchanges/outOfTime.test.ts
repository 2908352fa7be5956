import type { DeviceId } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import type { Incoming, Outcome } from "#metering/messages";
import type { ExchangeRow } from "./logStore.ts";
import { withQuarantined } from "./outOfTime.ts";

const now = 1_800_000_000;
const rowOf = (kind: ExchangeRow["kind"], readings: number): ExchangeRow => ({
  deviceId: 1,
  startedMs: now * 1000,
  receivedAt: now,
  kind,
  result: "ok",
  tries: 1,
  durationMs: 5,
  line: "l",
  readings,
  message: "",
  taskId: null,
  steps: [],
});
const readingAt = (ts: number): Incoming => ({
  deviceId: 1 as DeviceId,
  msgType: 1,
  ts,
  receivedAt: now,
  source: "polled",
  values: { tariff0: 1 },
});
const readings = [readingAt(now + 3 * 86_400), readingAt(now)];
const outcomes: Outcome[] = ["quarantined", "stored"];

test("quarantined readings are not counted as read, and the row has the reason", () => {
  expect(withQuarantined(rowOf("poll", 2), readings, outcomes)).toMatchObject({
    result: "ok",
    readings: 1,
    message: "the time is more than a day ahead, set aside",
  });
  expect(withQuarantined(rowOf("poll", 2), readings, ["stored", "stored"])).toEqual(rowOf("poll", 2));
});

test("an uplink without remaining readings has none; a poll still counts as answered", () => {
  const early = [readingAt(900_000_000)];

  expect(withQuarantined(rowOf("uplink", 1), early, ["quarantined"])).toMatchObject({
    result: "unexpected",
    readings: 0,
    message: "the time is before 2000, set aside",
  });
  expect(withQuarantined(rowOf("poll", 1), early, ["quarantined"])).toMatchObject({
    result: "ok",
    readings: 0,
  });
});
