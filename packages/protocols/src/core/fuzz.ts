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
