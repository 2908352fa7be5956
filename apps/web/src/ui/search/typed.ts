/** What stands in a box of a search whose answer comes back through the address. */
export interface Typed {
  readonly text: string;
  /** What the address has said last. */
  readonly said: string;
  /** Searches that were asked for, oldest first, and that the address has not said yet: it follows a moment later. */
  readonly asked: readonly string[];
}

export const typedFrom = (said: string): Typed => ({ text: said, said, asked: [] });

export const ask = (typed: Typed): Typed => ({ ...typed, asked: [...typed.asked, typed.text] });

/**
 * The address says something. What was asked for here changes nothing in the box, where more has been typed since; everything else,
 * as a reset, Back or a link, replaces what stands there.
 */
export function hear(typed: Typed, said: string): Typed {
  if (said === typed.said) return typed;
  const at = typed.asked.indexOf(said);
  return at < 0 ? typedFrom(said) : { ...typed, said, asked: typed.asked.slice(at + 1) };
}
