/** Text of a search box whose value comes back through the address. */
export interface Typed {
  readonly text: string;
  /** The last value of the address. */
  readonly applied: string;
  /** Pending searches, oldest first, not yet in the address, which follows with a delay. */
  readonly pending: readonly string[];
}

export const typedFrom = (applied: string): Typed => ({ text: applied, applied, pending: [] });

export const submit = (typed: Typed): Typed => ({ ...typed, pending: [...typed.pending, typed.text] });

/**
 * Handles a new value of the address. A value requested here does not change the box, where the user may have
 * typed more; anything else, such as a reset, Back or a link, replaces the text.
 */
export function followAddress(typed: Typed, applied: string): Typed {
  if (applied === typed.applied) return typed;
  const at = typed.pending.indexOf(applied);
  return at < 0 ? typedFrom(applied) : { ...typed, applied, pending: typed.pending.slice(at + 1) };
}
