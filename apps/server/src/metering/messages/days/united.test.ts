import fc from "fast-check";
import { expect, test } from "vitest";
import { united } from "../received/slots.ts";

test("united spans hold the seconds of all, each in one of them, and none touches the next", () => {
  const span = fc
    .tuple(fc.nat(40), fc.integer({ min: 1, max: 8 }))
    .map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const secondsOf = ({ from, to }: { from: number; to: number }) =>
        Array.from({ length: to - from }, (_, at) => from + at);
      const joined = united(spans);
      const all = [...new Set(spans.flatMap(secondsOf))].sort((a, b) => a - b);

      expect(joined.flatMap(secondsOf)).toEqual(all);
      expect(joined.every(({ from }, at) => at === 0 || from > (joined[at - 1]?.to ?? 0))).toBe(true);
    }),
  );
});
