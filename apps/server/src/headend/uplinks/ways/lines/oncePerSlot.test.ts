import fc from "fast-check";
import { expect, test } from "vitest";
import { oncePerSlot } from "./oncePerSlot.ts";

test("of each name the first of a slot is taken, and the next one after it was given back", () => {
  const step = fc.record({
    name: fc.constantFrom("a", "b", "c"),
    slot: fc.nat(3),
    isGivenBack: fc.integer({ min: 0, max: 4 }).map((fifth) => fifth === 0),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slots = oncePerSlot();
      const last = new Map<string, number>();
      for (const { name, slot, isGivenBack } of steps) {
        expect(slots.take(name, slot)).toBe(last.get(name) !== slot);
        last.set(name, slot);
        if (!isGivenBack) continue;
        slots.forget(name);
        last.delete(name);
      }
    }),
  );
});
