import { describe, expect, it } from "vitest";
import { throwsOnlyProtocolErrors, type FuzzTarget } from "./core/fuzz.ts";
import * as protocols from "./index.ts";

const targets: readonly FuzzTarget[] = Object.entries(protocols)
  .filter(([name]) => name.endsWith("Fuzz"))
  .flatMap(([, target]) => target as FuzzTarget | readonly FuzzTarget[]);

it("every target of the fuzz run has a name of its own", () => {
  expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length);
});

describe.each(targets)("$name", (target) => {
  it("throws nothing but ProtocolError on changed frames", () => {
    expect(target.seeds.length).toBeGreaterThan(0);
    throwsOnlyProtocolErrors(target);
  });
});
