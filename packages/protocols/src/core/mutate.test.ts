import fc from "fast-check";
import { expect, test } from "vitest";
import { mutate, randomFrom } from "./mutate.ts";

test("the same seed gives the same inputs, most of them changed, some of them long", () => {
  const seeds = [Uint8Array.from({ length: 40 }, (_, at) => at), Uint8Array.of(1, 2, 3)];
  const inputs = () => {
    const random = randomFrom(7);
    return Array.from({ length: 3000 }, () => mutate(seeds, random));
  };

  const [first, second] = [inputs(), inputs()];

  expect(second).toEqual(first);
  const isChanged = (bytes: Uint8Array) => seeds.every((seed) => seed.join() !== bytes.join());
  expect(first.filter(isChanged).length).toBeGreaterThan(2500);
  expect(Math.max(...first.map(({ length }) => length))).toBeGreaterThan(1000);
});

test("any seeds can be changed, empty ones too", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 3 }),
      fc.integer(),
      (seeds, start) => {
        const random = randomFrom(start);
        for (let n = 0; n < 50; n++) expect(mutate(seeds, random).length).toBeLessThan(20_000);
      },
    ),
  );
});
