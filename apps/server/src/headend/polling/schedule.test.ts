import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestPriority } from "#headend/dialogue";
import { nextSlot, phaseOf, pollPriority } from "./schedule.ts";

const intervals = [60, 300, 900, 1800, 3600, 7200, 86_400, 604_800, 2_592_000];

describe("slots of a device", () => {
  const anyDevice = fc.record({ id: fc.integer({ min: 1 }), intervalSec: fc.constantFrom(...intervals) });
  const anyMoment = fc.integer({ min: 1_600_000_000, max: 2_000_000_000 });

  it("follow each other at exactly the interval, however late the last one was planned", () => {
    fc.assert(
      fc.property(
        anyDevice,
        anyMoment,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (device, now, late) => {
          const slot = nextSlot({ ...device, failures: 0 }, now);
          const plannedAt = slot + Math.floor(late * device.intervalSec);
          expect(slot).toBeGreaterThan(now);
          expect(nextSlot({ ...device, failures: 0 }, plannedAt)).toBe(slot + device.intervalSec);
        },
      ),
    );
  });

  it("POLL-020: after an outage one slot is due, not one for each that was missed", () => {
    const device = { id: 7, intervalSec: 60, failures: 0 };
    const slot = nextSlot(device, 1_700_000_000);

    const after = nextSlot(device, slot + 7200);

    expect(after - (slot + 7200)).toBeLessThanOrEqual(60);
  });

  it("are spread over the interval", () => {
    const phases = new Set(Array.from({ length: 600 }, (_, id) => phaseOf({ id: id + 1, intervalSec: 60 })));

    expect(phases.size).toBe(60);
  });

  it("are less frequent for a silent device, but at least every quarter of an hour", () => {
    const gap = (failures: number, intervalSec: number) => {
      const at = 1_700_000_000;
      return (
        nextSlot({ id: 1, intervalSec, failures }, at) - nextSlot({ id: 1, intervalSec, failures: 0 }, at)
      );
    };

    expect([0, 1, 2, 3, 4, 5, 50].map((failures) => gap(failures, 60))).toEqual([0, 0, 0, 60, 180, 420, 840]);
    expect(gap(50, 3600)).toBe(0);
  });
});

it("requests by users precede scheduled polls, and devices that answer precede those that do not", () => {
  const order = [pollPriority(50), requestPriority, pollPriority(0), pollPriority(3)].toSorted(
    (a, b) => a - b,
  );

  expect(order).toEqual([requestPriority, pollPriority(0), pollPriority(3), pollPriority(50)]);
});
