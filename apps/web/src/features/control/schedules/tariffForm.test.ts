import { mostTariffTimes, tariffDifferences, tariffKeys, type TariffSchedule } from "@metrum/vocabulary";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalsOf, steppedOf } from "../arguments/argumentForm.ts";
import { clockOf, scheduleOf, valuesOf } from "./tariffForm.ts";

const time = fc.integer({ min: 0, max: 1439 }).map(clockOf);
const schedule: fc.Arbitrary<TariffSchedule> = fc
  .array(fc.array(time, { maxLength: mostTariffTimes }), {
    minLength: tariffKeys.length,
    maxLength: tariffKeys.length,
  })
  .map((times) => Object.fromEntries(tariffKeys.map((key, at) => [key, times[at] ?? []])));

test("TARIFF-014 a schedule that is saved as it was read divides the day as before, with holes among its tariffs too", () => {
  fc.assert(
    fc.property(schedule, (stored) => {
      expect(tariffDifferences(stored, scheduleOf(valuesOf(stored)))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

const tenThousandths = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.constantFrom(1, 10, 100, 1000, 10_000))
    .map(([whole, parts]) => whole / parts);

test("a value of an argument stays as it was entered, and any other becomes the nearest", () => {
  const count = fc.nat(200);
  fc.assert(
    fc.property(
      tenThousandths(-500, 500),
      tenThousandths(1, 500),
      count,
      count,
      (minimum, step, below, above) => {
        const at = (steps: number): number => Number((minimum + steps * step).toFixed(4));
        const field = { minimum, step, maximum: at(below + above) };

        expect(steppedOf(field, at(below))).toBe(at(below));
        expect(steppedOf(field, at(below) + step / 4)).toBe(at(below));
        expect(Number(at(below).toFixed(decimalsOf(field)))).toBe(at(below));
      },
    ),
    { numRuns: 500 },
  );
});
