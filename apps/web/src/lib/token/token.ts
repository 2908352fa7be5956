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

/** By the person, here or in another tab; by the server's 401; or because access could not be loaded or is not for the web. */
export type SessionEnd = "signedOut" | "expired" | "refused";

const started = new Set<() => void>();
const ended = new Set<(reason: SessionEnd) => void>();

export function storedToken(): string | null {
  return localStorage.getItem(key);
}

export function startSession(token: string): void {
  localStorage.setItem(key, token);
  for (const each of started) each();
}

/** Tells whoever keeps something of the session before. */
export function onSessionStart(listener: () => void): void {
  started.add(listener);
}

/**
 * Forgets the session and tells whoever must leave the screen. Answers that come late, to a request of a session already
 * ended, change nothing: `token` says which session the news is about.
 */
export function endSession(reason: SessionEnd, token: string | null = storedToken()): void {
  if (token === null || token !== storedToken()) return;
  for (const each of sessionKeys) localStorage.removeItem(each);
  tell(reason);
}

export function onSessionEnd(listener: (reason: SessionEnd) => void): () => void {
  ended.add(listener);
  return () => ended.delete(listener);
}

function tell(reason: SessionEnd): void {
  for (const each of ended) each(reason);
}

/** Signing out in another tab is signing out here; signing in there as somebody else shows that one here too. */
export function watchOtherTabs(): void {
  addEventListener("storage", ({ key: changed }) => {
    if (changed !== key && changed !== null) return;
    if (storedToken() === null) tell("signedOut");
    else location.reload();
  });
}
