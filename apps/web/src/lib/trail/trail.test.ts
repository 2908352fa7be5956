import { expect, it } from "vitest";
import { leaveTrail, trail } from "./trail.ts";

it("PROD-028 the last 25 changes of state are kept", () => {
  for (let at = 1; at <= 30; at += 1) leaveTrail(`step ${String(at)}`);

  expect(trail()).toHaveLength(25);
  expect(trail()[0]?.what).toBe("step 6");
  expect(trail().at(-1)?.what).toBe("step 30");
});
