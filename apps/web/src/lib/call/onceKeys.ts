/** Idempotency keys of unanswered requests, by content. */
const unanswered = new Map<string, string>();

/**
 * The idempotency key of this request. Sent again after a lost connection it is the same, so that an action
 * whose answer was lost is not repeated.
 */
export function onceKeyOf(asked: string): string {
  const known = unanswered.get(asked);
  if (known !== undefined) return known;
  // Not randomUUID, which requires a secure origin.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  unanswered.set(asked, key);
  return key;
}

/** The server has answered: the same request is a new one from now on. */
export function forgetOnceKey(asked: string): void {
  unanswered.delete(asked);
}
