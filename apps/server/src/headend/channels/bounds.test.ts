import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "#core";
import { createConnectionLimiter } from "./bounds.ts";

/** Limits of the security rules, section 4. */
const [mostOpen, mostOfAddress, mostPerSec] = [20_000, 5_000, 500];

/** Seconds that pass before a step, and how many connections come or go in it. */
const step = fc.record({
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3000 })),
  address: fc.constantFrom("192.0.2.1", "192.0.2.2", "192.0.2.3"),
  count: fc.oneof(fc.constantFrom(1, mostPerSec - 1, mostPerSec, mostPerSec + 1), fc.nat(700)),
  comes: fc.integer({ min: 0, max: 9 }).map((tenth) => tenth > 0),
});

test("connections are admitted up to the limits of all, of an address and of a second, and not one more", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let nowMs = 0;
      const limiter = createConnectionLimiter({ ...systemClock, monotonicMs: () => nowMs });
      const open = new Map<string, number>();
      let [credit, refused] = [mostPerSec, 0];
      for (const { waitMs, address, count, comes } of steps) {
        nowMs += waitMs;
        credit = Math.min(mostPerSec, credit + (waitMs * mostPerSec) / 1000);
        const here = open.get(address) ?? 0;
        const all = [...open.values()].reduce((sum, each) => sum + each, 0);
        const admitted = comes
          ? Math.min(count, mostOpen - all, mostOfAddress - here, Math.floor(credit))
          : 0;
        const left = comes ? 0 : Math.min(count, here);
        let entered = 0;
        for (let at = 0; at < (comes ? count : 0); at += 1) entered += Number(limiter.enter(address));
        for (let at = 0; at < left; at += 1) limiter.leave(address);
        credit -= admitted;
        refused += comes ? count - admitted : 0;
        open.set(address, here + admitted - left);

        expect(entered).toBe(admitted);
      }
      expect(limiter.refused).toBe(refused);
    }),
    { numRuns: 60 },
  );
});

test.each([
  [mostOfAddress, ["192.0.2.1"]],
  [mostOpen, Array.from({ length: 5 }, (_, at) => `192.0.2.${String(at)}`)],
])("%i connections are open at the most, and one more when one has ended", (most, addresses) => {
  let nowMs = 0;
  const limiter = createConnectionLimiter({ ...systemClock, monotonicMs: () => nowMs });
  const enter = (at: number): boolean => {
    nowMs += 1000 / mostPerSec;
    return limiter.enter(addresses[at % addresses.length] ?? "");
  };

  expect(Array.from({ length: most }, (_, at) => enter(at)).every(Boolean)).toBe(true);
  expect(enter(0)).toBe(false);
  limiter.leave(addresses[0] ?? "");
  expect([enter(0), enter(0)]).toEqual([true, false]);
});
