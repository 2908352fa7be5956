import { ProtocolError } from "./errors.ts";
import { mutate, randomFrom } from "./mutate.ts";

/**
 * A decoder under random change: `seeds` are good frames to mutate, `decode` may throw nothing but ProtocolError.
 * The bench script that mutates them walks a list of these.
 */
export interface FuzzTarget {
  readonly name: string;
  readonly seeds: readonly Uint8Array[];
  readonly decode: (bytes: Uint8Array) => unknown;
  /** Holds a whole dialogue, the simulated meter's side of it included: the time limit of a decoder does not apply. */
  readonly isDialogue?: true;
}

/** Changed frames that a test gives every decoder; the long form is `npm run bench -- fuzz`. A dialogue is many frames. */
const framesOfTest = 10_000;
const dialoguesOfTest = 300;

/** Gives a target changed frames, the same at every run. Errors: Error with the first frame that it answers with anything but ProtocolError. */
export function throwsOnlyProtocolErrors({ seeds, decode, isDialogue }: FuzzTarget): void {
  const random = randomFrom(20_261_122);
  for (let left = isDialogue ? dialoguesOfTest : framesOfTest; left > 0; left--) {
    const bytes = mutate(seeds, random);
    try {
      decode(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw new Error(`on ${bytes.join()}`, { cause: error });
    }
  }
}
