import { ProtocolError } from "../errors.ts";
import { mutate, randomFrom } from "./mutate.ts";

/**
 * A fuzz target: `seeds` are valid frames to mutate, `decode` may throw nothing but ProtocolError. The
 * benchmark that mutates them iterates a list of these.
 */
export interface FuzzTarget {
  readonly name: string;
  readonly seeds: readonly Uint8Array[];
  readonly decode: (bytes: Uint8Array) => unknown;
  /** Runs a whole dialogue including the simulated meter: the time limit of a decoder does not apply. */
  readonly isDialogue?: true;
  /** Part of the frames that it gets, for one that takes as long as many others. */
  readonly share?: number;
  /** Longest time of one input in ms, for what is read in a thread of its own, which is ended after seconds. */
  readonly mostMs?: number;
}

/**
 * Mutated frames per decoder in a test; the long form is `npm run bench -- fuzz`. A dialogue consists of many
 * frames.
 */
const framesOfTest = 1_000;
const dialoguesOfTest = 300;

/**
 * Runs a target on mutated frames, the same in every run. Errors: Error with the first frame that causes
 * anything but ProtocolError.
 */
export function throwsOnlyProtocolErrors({ seeds, decode, isDialogue, share = 1 }: FuzzTarget): void {
  const random = randomFrom(20_261_122);
  for (let left = share * (isDialogue ? dialoguesOfTest : framesOfTest); left > 0; left--) {
    const bytes = mutate(seeds, random);
    try {
      decode(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw new Error(`on ${bytes.join()}`, { cause: error });
    }
  }
}
