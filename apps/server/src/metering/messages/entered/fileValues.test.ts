import type { DeviceId } from "@metrum/vocabulary";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileValues } from "./fileValues.ts";

const device = 1 as DeviceId;

test("TRUST-028 the values of a file beside an instant are the nearest of the register, in whatever order they stand", () => {
  const order = fc.uniqueArray(fc.nat(40), { maxLength: 20 });
  fc.assert(
    fc.property(order, fc.integer({ min: -1, max: 41 }), (times, ts) => {
      const file = fileValues();
      for (const each of times) {
        file.add(device, "tariff0", { ts: each, value: each * 10 });
        // The first of one instant stays, and those of other registers and devices are others.
        file.add(device, "tariff0", { ts: each, value: -1 });
        file.add(device, "tariff1", { ts: ts - 1, value: 7 });
        file.add(2 as DeviceId, "tariff0", { ts, value: 8 });
      }
      const { before, then, after } = file.beside(device, "tariff0", ts);
      const found = [before, then, after].map((point) => point && [point.ts, point.value]);
      const sorted = times.toSorted((a, b) => a - b);
      const expected = [
        sorted.findLast((each) => each < ts),
        sorted.find((each) => each === ts),
        sorted.find((each) => each > ts),
      ].map((each) => (each === undefined ? undefined : [each, each * 10]));
      expect(found).toEqual(expected);
    }),
  );
});

test("TRUST-028 rows that are judged anew leave nothing of the first time", () => {
  const rows = fc.array(fc.tuple(fc.nat(12), fc.nat(3)), { maxLength: 8 });
  fc.assert(
    fc.property(rows, rows, rows, fc.nat(13), (kept, tried, then, ts) => {
      const [file, plain] = [fileValues(), fileValues()];
      const addTo = (to: typeof file, added: readonly (readonly [number, number])[]): void => {
        for (const [at, value] of added) to.add(device, "tariff0", { ts: at, value });
      };
      addTo(file, kept);
      file.keep();
      addTo(file, tried);
      file.discard();
      addTo(file, then);
      addTo(plain, kept);
      addTo(plain, then);
      expect(file.beside(device, "tariff0", ts)).toEqual(plain.beside(device, "tariff0", ts));
    }),
  );
});
