import fc from "fast-check";
import { expect, test } from "vitest";
import { areOrdered } from "./peakHours.ts";

test("ranges of hours are accepted if each has an hour, in the order of the day, and none is in two", () => {
  const range = fc.record({ start: fc.nat(24), stop: fc.nat(24) });
  fc.assert(
    fc.property(fc.array(range, { maxLength: 4 }), (ranges) => {
      const hours = ranges.map(({ start, stop }) =>
        Array.from({ length: Math.max(0, stop - start) }, (_, at) => start + at),
      );
      const all = hours.flat();
      const isSorted = all.every((hour, at) => at === 0 || hour > (all[at - 1] ?? 0));

      expect(areOrdered(ranges)).toBe(isSorted && hours.every(({ length }) => length > 0));
    }),
    { numRuns: 500 },
  );
});
