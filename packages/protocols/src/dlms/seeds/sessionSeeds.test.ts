import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "../../core/errors.ts";
import { dlmsSessionFuzz } from "./sessionSeeds.ts";

describe("the client under random answers", () => {
  it.each(dlmsSessionFuzz)("$name throws nothing but ProtocolError", ({ seeds, decode }) => {
    expect(seeds.length).toBeGreaterThan(1);
    const changes = fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.nat(seeds.length - 1), changes, fc.boolean(), (which, bytes, isFramed) => {
        const changed = (seeds[which] ?? new Uint8Array()).slice();
        // Left unchanged, the header lets the mutations reach the message.
        const from = isFramed ? 8 : 0;
        for (const [at, byte] of bytes) changed[from + (at % Math.max(1, changed.length - from))] = byte;
        try {
          decode(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 400 },
    );
  });
});
