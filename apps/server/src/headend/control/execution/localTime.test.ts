import { expect, test } from "vitest";
import { isClockSet } from "./localTime.ts";

test.each([
  ["with seconds", 4, { tookSec: 0, stepSec: 1 }, true],
  ["with seconds", -20, { tookSec: 1, stepSec: 1 }, false],
  ["with seconds, over a slow line", -20, { tookSec: 25, stepSec: 1 }, true],
  ["of minutes", -50, { tookSec: 1, stepSec: 60 }, true],
  ["of minutes", 90, { tookSec: 1, stepSec: 60 }, false],
])("CTRL-046 CTRL-106 a clock %s that is %i s off is set, or is not (%o: %s)", (_, offSec, how, isSet) => {
  expect(isClockSet(offSec, how)).toBe(isSet);
});
