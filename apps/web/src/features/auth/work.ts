import type { Challenge } from "@metrum/contract/access";
import { firstWordOf } from "./sha256.ts";

/**
 * The smallest nonce for which the hash of `salt:part:nonce` begins with the required number of zero bits.
 * Takes 2^difficulty hashes on average: about 65,000.
 */
export function solvePart(
  { salt, difficulty }: Pick<Challenge, "salt" | "difficulty">,
  part: number,
): number {
  const prefix = `${salt}:${String(part)}:`;
  for (let nonce = 0; ; nonce += 1)
    if (firstWordOf(prefix + String(nonce)) >>> (32 - difficulty) === 0) return nonce;
}
