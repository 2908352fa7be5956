import { expect, test } from "vitest";
import type { DeviceId } from "@metrum/vocabulary";
import { isLate } from "./judge.ts";
import type { DeviceMetadata, Incoming } from "./types.ts";

const slot = 1_800_000_000;
const quarter = 900;
const device: DeviceMetadata = {
  id: 1 as DeviceId,
  companyId: 1,
  modelId: 1,
  zone: "UTC",
  reportPeriodSec: 3600,
  counterCapacity: undefined,
  counterStart: undefined,
  dependants: 0,
  depths: new Map(),
};
const after = (sec: number, given: Partial<Incoming> = {}): boolean =>
  isLate(
    {
      deviceId: device.id,
      msgType: 1,
      ts: slot,
      receivedAt: slot + sec,
      source: "polled",
      values: {},
      ...given,
    },
    device,
  );

test("a reading is late after two report periods and a quarter of an hour, and not a second before", () => {
  expect([after(3600 + quarter + 1), after(2 * 3600), after(2 * 3600 + quarter)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([after(2 * 3600 + quarter + 1), after(2 * 3600 + quarter + 1, { source: "pushed" })]).toEqual([
    true,
    true,
  ]);
});

test("an archive is allowed its own period in addition: a day, or a month for monthly ones", () => {
  const grace = 2 * 3600 + quarter;
  for (const [msgType, ownSec] of [
    [5, 86_400],
    [100, 86_400],
    [101, 86_400],
    [103, 31 * 86_400],
  ] as const)
    expect([after(grace + ownSec, { msgType }), after(grace + ownSec + 1, { msgType })]).toEqual([
      false,
      true,
    ]);
});

test("imported, entered and calculated readings are never late", () => {
  for (const source of ["imported", "manual", "calculated"] as const)
    expect(after(9e6, { source })).toBe(false);
});
