const key = "metrum.token";
/** What a session leaves behind; the language and the theme stay. */
const sessionKeys = [
  key,
  "metrum.previousToken",
  "metrum.enteredFromAdmin",
  "metrum.appData",
  "metrum.phone",
  "metrum.subscriberName",
];

/** "signedOut" by the person, "expired" by the server's 401, "refused" when access could not be loaded or is not for the web. */
export type SessionEnd = "signedOut" | "expired" | "refused";

const ended = new Set<(reason: SessionEnd) => void>();

export function storedToken(): string | null {
  return localStorage.getItem(key);
}

export function startSession(token: string): void {
  localStorage.setItem(key, token);
}

/**
 * Forgets the session and tells whoever must leave the screen. Answers that come late, to a request of a session already
 * ended, change nothing: `token` says which session the news is about.
 */
export function endSession(reason: SessionEnd, token: string | null = storedToken()): void {
  if (token === null || token !== storedToken()) return;
  for (const each of sessionKeys) localStorage.removeItem(each);
  for (const listener of ended) listener(reason);
}

export function onSessionEnd(listener: (reason: SessionEnd) => void): () => void {
  ended.add(listener);
  return () => ended.delete(listener);
}

/** Signing out, or in as somebody else, in another tab of this browser. */
export function onTokenChange(listener: (token: string | null) => void): () => void {
  const change = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener(storedToken());
  };
  addEventListener("storage", change);
  return () => removeEventListener("storage", change);
}
