import { describe, expect, it } from "vitest";
import { ProtocolError } from "./core/errors.ts";
import type { FuzzTarget } from "./core/fuzz.ts";
import { mutate, randomFrom } from "./core/mutate.ts";
import * as protocols from "./index.ts";

/** The long form is `npm run bench -- fuzz`. */
const frames = 300;

const targets: readonly FuzzTarget[] = Object.entries(protocols)
  .filter(([name]) => name.endsWith("Fuzz"))
  .flatMap(([, target]) => target as FuzzTarget | readonly FuzzTarget[]);

it("every target of the fuzz run has a name of its own", () => {
  expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length);
});

describe.each(targets)("$name", ({ seeds, decode }) => {
  it("throws nothing but ProtocolError on changed frames", () => {
    const random = randomFrom(20_261_122);

    expect(seeds.length).toBeGreaterThan(0);
    for (let n = 0; n < frames; n++) {
      const bytes = mutate(seeds, random);
      try {
        decode(bytes);
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw new Error(`on ${bytes.join()}`, { cause: error });
      }
    }
  });
});
