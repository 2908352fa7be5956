import { describe, expect, test } from "vitest";
import { sources, statuses, type DeviceId } from "@metrum/vocabulary";
import type { CounterRange, Point } from "./counter.ts";
import { contradicted, isLate } from "./judge.ts";
import type { Latest } from "../latest/latest.ts";
import { samplesOf } from "./load.ts";
import type { DeviceMetadata, FieldSet, Incoming } from "../rows/types.ts";

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

describe("TRUST-025 what contradicts the latest value", () => {
  const hour = 3600;
  const set: FieldSet = {
    ...{ id: 1, fields: ["tariff0", "temperature"], counters: [0], moving: [1] },
    at: new Map<string, number>([
      ["tariff0", 0],
      ["temperature", 1],
    ]),
  };
  const { measured, suspect } = statuses;
  /** Ten million in 4,000 hours: 3,125 an hour at most. */
  const rangeOf = (trusted: readonly Point[]) => (): CounterRange => ({
    ...{ capacity: 10_000_000, start: 0, holdsHours: 4_000 },
    samplesAt: (until) => samplesOf(trusted, until),
  });
  const latestOf = (value: number, status: number): Latest => ({
    ...{ ts: slot, receivedAt: slot, status: measured.id, source: sources.polled, set, v: [value, 20] },
    by_field: { tariff0: { ts: slot, status, source: sources.polled, received_at: slot } },
  });
  const doubted = (latest: Latest | undefined, value: number, hours = 1, trusted: readonly Point[] = []) =>
    contradicted(latest, { ts: slot + hours * hour, set, v: [value, 900] }, rangeOf(trusted)).length > 0;
  const before = (value: number): Point[] => [{ ts: slot - hour, value }];

  test("is what a meter cannot have counted since, up or down; nothing else, and nothing before it", () => {
    const latest = latestOf(500_000, measured.id);
    expect([500_000, 500_001, 503_125].map((value) => doubted(latest, value))).toEqual([false, false, false]);
    expect([499_999, 503_127, 9_200_359].map((value) => doubted(latest, value))).toEqual([true, true, true]);
    expect([doubted(latest, 3, 0), doubted(latest, 3, -1), doubted(undefined, 3)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("is not what goes on from a doubted value, or from the trusted one before it", () => {
    for (const odd of [9_200_359, 3]) {
      const latest = latestOf(odd, suspect.id);
      expect([odd, odd + 1, odd + 3_125].map((value) => doubted(latest, value))).toEqual([
        false,
        false,
        false,
      ]);
      expect(doubted(latest, 500_002), "nothing is known before it").toBe(true);
      expect(doubted(latest, 500_002, 1, before(500_000))).toBe(false);
      expect(doubted(latest, 507_000, 1, before(500_000))).toBe(true);
      expect(doubted(latest, 499_990, 1, before(500_000))).toBe(true);
    }
  });

  test("is a change of use once: what follows a doubted growth is judged by full load alone", () => {
    const days = Array.from({ length: 40 }, (_, n) => ({ ts: slot - (40 - n) * 24 * hour, value: n * 24 }));
    const start = 40 * 24;
    expect(doubted(latestOf(start, measured.id), start + 16_000, 24, days)).toBe(true);
    expect(doubted(latestOf(start, suspect.id), start + 16_000, 24, days)).toBe(false);
    expect(doubted(latestOf(start, suspect.id), start + 80_000, 24, days)).toBe(true);
  });
});
