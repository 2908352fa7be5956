import { describe, expect, it } from "vitest";
import { firstWordOf } from "./sha256.ts";
import { solvePart } from "./work.ts";

const real = async (text: string): Promise<number> =>
  new DataView(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).getUint32(0);

describe("the hash of the proof of work", () => {
  it.each(["", "abc", "0123456789".repeat(5), `${"ab".repeat(16)}:15:123456789012345`, "x".repeat(55)])(
    "is that of SHA-256: %s",
    async (text) => {
      expect(firstWordOf(text)).toBe(await real(text));
    },
  );

  it("is undefined for a text longer than a block", () => {
    expect(() => firstWordOf("x".repeat(56))).toThrow(RangeError);
  });
});

it("LOGIN-031: the nonce of a part is the first whose hash begins with the required zero bits", async () => {
  const salt = "5".repeat(32);

  const nonce = solvePart({ salt, difficulty: 10 }, 7);

  const hashes = await Promise.all(
    Array.from({ length: nonce + 1 }, (_, each) => real(`${salt}:7:${String(each)}`)),
  );
  expect(hashes.findIndex((hash) => hash < 2 ** 22)).toBe(nonce);
});
