import { expect, test } from "vitest";
import { movableClock } from "#testing/clock";
import { pause } from "./clock.ts";

test("a pause ends when its time has passed on the clock, not on that of the machine", async () => {
  const clock = movableClock();
  let isOver = false;
  const paused = pause(clock, 3_600_000).then(() => {
    isOver = true;
  });

  expect(isOver).toBe(false);
  clock.ahead += 3_600;
  await paused;

  expect(isOver).toBe(true);
});
