/** Keys of requests that nobody has answered, by what was asked. */
const unanswered = new Map<string, string>();

/**
 * The key under which this request is made once. Sent again after a lost connection it is the same, so that what the server
 * did without our hearing of it is not done twice.
 */
export function onceKeyOf(asked: string): string {
  const known = unanswered.get(asked);
  if (known !== undefined) return known;
  // Not randomUUID: it is there on secure origins only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  unanswered.set(asked, key);
  return key;
}

/** The server has said yes or no: the same request is a new one from now on. */
export function forgetOnceKey(asked: string): void {
  unanswered.delete(asked);
}
