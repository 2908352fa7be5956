import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { expect, test } from "vitest";
import { clockFault, depthsOf } from "./clockBounds.ts";
import type { Incoming } from "./types.ts";

const receivedAt = Date.UTC(2026, 10, 22) / 1000;
const day = 86_400;
const none = { depths: new Map<number, number>() };
const aged = (ageSec: number, given: Partial<Incoming> = {}): Incoming => ({
  deviceId: 1 as DeviceId,
  msgType: 1,
  ts: receivedAt - ageSec,
  receivedAt,
  source: "polled",
  values: {},
  ...given,
});

test.each([
  [-600, {}, undefined],
  [-601, {}, "clock_ahead"],
  [-601, { source: "imported" }, "clock_ahead"],
  [-601, { source: "manual" }, "clock_ahead"],
  [-22 * 3600, { isReleased: true }, undefined],
  [62 * day, {}, undefined],
  [63 * day, {}, "too_old"],
  [63 * day, { source: "pushed" }, undefined],
  [367 * day, { source: "pushed" }, "too_old"],
  [181 * day, { msgType: 5 }, "too_old"],
  [181 * day, { msgType: 5, source: "imported" }, undefined],
  [181 * day, { msgType: 5, source: "calculated" }, undefined],
  [3000 * day, { msgType: 103 }, undefined],
  [3000 * day, { msgType: 101 }, "too_old"],
  [receivedAt - Date.UTC(2000, 0, 1) / 1000 + 1, { source: "imported" }, "before_2000"],
  [receivedAt - Date.UTC(2000, 0, 1) / 1000, { source: "imported" }, undefined],
  [receivedAt - Date.UTC(2000, 0, 1) / 1000, {}, "too_old"],
  [Number.NaN, { isReleased: true }, "no_time"],
  [0.5, {}, "no_time"],
  [-1e12, { isReleased: true }, "no_time"],
] as const)("TRUST-008 a reading of %d s ago, %j, has the fault %s", (age, given, fault) => {
  expect(clockFault(aged(age, given), none)).toBe(fault);
});

test("TRUST-008 the archive depth of a model is the limit, with a margin", () => {
  for (const model of meterModels) {
    if (model.driver.kind !== "line") continue;
    const depths = depthsOf(model);
    for (const { msgType, depthSec } of model.driver.archives) {
      const depth = depths.get(msgType) ?? 0;
      const given = { msgType } as const;

      expect([model.title, depth > depthSec]).toEqual([model.title, true]);
      expect(clockFault(aged(depthSec, given), { depths })).toBeUndefined();
      const isBeyond = clockFault(aged(depth + 1, given), { depths });
      expect([model.title, msgType, isBeyond]).toEqual([model.title, msgType, "too_old"]);
    }
  }
});
