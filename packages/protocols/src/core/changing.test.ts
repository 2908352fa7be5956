import { describe, expect, it } from "vitest";
import { isUnmoved } from "./changing.ts";

describe("CTRL-106 whether a clock was moved", () => {
  it.each([
    [20, 0, true],
    [20, 20, false],
    [20, 17, false],
    [-20, 1, true],
    [7, 0, true],
    // Within the resolution of three readings in whole seconds the acknowledgement counts.
    [3, 0, false],
    [4, 2, false],
  ])("by %i s: it went on by %i s more than the exchanges took: not moved %s", (seconds, moved, wanted) => {
    expect(isUnmoved({ first: 100, second: 101, after: 103 + moved }, seconds)).toBe(wanted);
  });

  it.each([4, 6, -5])("by %i s is not known when the line may have hidden it", (seconds) => {
    const moved = seconds > 0 ? seconds - 4 : seconds + 4;
    expect(() => isUnmoved({ first: 100, second: 101, after: 103 + moved }, seconds)).toThrow(
      "the clock of the device is not what was set",
    );
  });
});
