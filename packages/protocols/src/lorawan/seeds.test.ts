import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "../core/errors.ts";
import { networkServerFuzz } from "./seeds.ts";

describe.each(networkServerFuzz.map((target) => [target.name, target] as const))("%s", (_, target) => {
  it("reads its own seeds", () => {
    for (const seed of target.seeds) expect(() => target.decode(seed)).not.toThrow();
  });

  it("throws nothing but ProtocolError, however a message was changed", () => {
    const seeds = fc.constantFrom(...target.seeds);
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 });
    const changed = fc.tuple(seeds, changes).map(([seed, list]) => {
      const bytes = seed.slice();
      for (const [at, byte] of list) bytes[at % bytes.length] = byte;
      return bytes;
    });
    const json = fc.json().map((text) => new TextEncoder().encode(text));
    fc.assert(
      fc.property(fc.oneof(changed, json, fc.uint8Array()), (bytes) => {
        try {
          target.decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("throws nothing but ProtocolError when a value of a message has another type", () => {
    const seeds = fc.constantFrom(...target.seeds.map((seed) => new TextDecoder().decode(seed)));
    fc.assert(
      fc.property(seeds, fc.nat(), fc.jsonValue({ maxDepth: 2 }), (seed, place, value) => {
        let at = 0;
        const count = [...seed.matchAll(/:/g)].length;
        const text = JSON.stringify(JSON.parse(seed), (key, old: unknown) =>
          key !== "" && at++ === place % (count + 1) ? value : old,
        );
        try {
          target.decode(new TextEncoder().encode(text));
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 400 },
    );
  });
});
