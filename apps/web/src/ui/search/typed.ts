/** Text of a search box whose value comes back through the address. */
export interface Typed {
  readonly text: string;
  /** The last value of the address. */
  readonly said: string;
  /** Pending searches, oldest first, not yet in the address, which follows with a delay. */
  readonly asked: readonly string[];
}

export const typedFrom = (said: string): Typed => ({ text: said, said, asked: [] });

export const ask = (typed: Typed): Typed => ({ ...typed, asked: [...typed.asked, typed.text] });

/**
 * Handles a new value of the address. A value requested here does not change the box, where the user may have
 * typed more; anything else, such as a reset, Back or a link, replaces the text.
 */
export function hear(typed: Typed, said: string): Typed {
  if (said === typed.said) return typed;
  const at = typed.asked.indexOf(said);
  return at < 0 ? typedFrom(said) : { ...typed, said, asked: typed.asked.slice(at + 1) };
}
