import fc from "fast-check";
import { expect, it } from "vitest";
import { changedSpans, type Held } from "./changedSpans.ts";

const held = (from: number, to: number | null, value: string, more: Partial<Held> = {}): Held => ({
  from,
  to,
  value,
  opening: "{}",
  closing: "{}",
  ...more,
});

it("TREE-040 an interval that was cut differs only from the cut on", () => {
  expect(changedSpans([held(10, null, "20")], [held(10, 50, "20"), held(50, null, "40")])).toEqual([
    { from: 50, to: null },
  ]);
  expect(changedSpans([held(10, 40, "20")], [held(10, 20, "20"), held(20, 40, "20")])).toEqual([]);
  expect(changedSpans([], [held(10, 40, "20")])).toEqual([{ from: 10, to: 40 }]);
});

it("TREE-040 a reading at an end concerns its side of it", () => {
  expect(
    changedSpans(
      [held(10, 40, "d", { opening: '{"a":1}', closing: '{"a":5}' })],
      [held(10, 40, "d", { opening: '{"a":2}', closing: '{"a":6}' })],
    ),
  ).toEqual([
    { from: 10, to: 11 },
    { from: 39, to: 40 },
  ]);
});

/** Intervals of one account, one after the other, some with a pause between them and the last perhaps without end. */
const account = fc
  .tuple(
    fc.array(
      fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 }), fc.constantFrom("a", "b"), fc.nat(1), fc.nat(1)),
      {
        maxLength: 4,
      },
    ),
    fc.boolean(),
  )
  .map(([steps, isOpen]) => {
    let at = 0;
    return steps.map(([pause, length, value, opening, closing], index): Held => {
      const from = at + pause;
      at = from + length;
      const isLast = index === steps.length - 1;
      return {
        ...{ from, to: isLast && isOpen ? null : at, value },
        opening: `{"a":${String(opening)}}`,
        closing: isLast && isOpen ? "{}" : `{"a":${String(closing)}}`,
      };
    });
  });

it("TREE-040 two accounts differ in the seconds in which either holds something else, or reads another value", () => {
  const last = 40;
  const seconds = Array.from({ length: last + 1 }, (_, at) => at);
  const covers = ({ from, to }: { from: number; to: number | null }, at: number): boolean =>
    from <= at && at < (to ?? Infinity);
  fc.assert(
    fc.property(account, account, (before, after) => {
      const [one, other] = [before, after].map((all) =>
        seconds.map((at) => ({
          value: all.find((each) => covers(each, at))?.value,
          opening: all.find(({ from }) => from === at)?.opening ?? "{}",
          closing: all.find(({ to }) => to === at + 1)?.closing ?? "{}",
        })),
      );
      const expected = seconds.filter((at) => JSON.stringify(one?.[at]) !== JSON.stringify(other?.[at]));
      const spans = changedSpans(before, after);

      expect(seconds.filter((at) => spans.some((span) => covers(span, at)))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
