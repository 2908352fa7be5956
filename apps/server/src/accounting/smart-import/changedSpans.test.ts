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
