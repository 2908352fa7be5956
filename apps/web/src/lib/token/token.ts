const key = "metrum.token";
/** The session of the staff member, while another one was entered from it. */
const previousKey = "metrum.previousToken";
const enteredKey = "metrum.enteredFromAdmin";
/** What a session leaves behind; the language and the theme stay. */
const sessionKeys = [key, previousKey, enteredKey, "metrum.appData", "metrum.phone", "metrum.subscriberName"];

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

/** Goes on with a session that was entered from the administration; the present one waits under the second key. */
export function enterSession(token: string): void {
  const previous = storedToken();
  if (previous !== null) localStorage.setItem(previousKey, previous);
  localStorage.setItem(enteredKey, "true");
  startSession(token);
}

/** Whether the session was entered from the administration. */
export function isEntered(): boolean {
  return localStorage.getItem(enteredKey) !== null;
}

/** Back to the session before: its token is the stored one again, and the page is loaded anew. False when there is none. */
export function returnFromEntered(): boolean {
  const previous = localStorage.getItem(previousKey);
  if (previous === null) return false;
  localStorage.removeItem(previousKey);
  localStorage.removeItem(enteredKey);
  localStorage.setItem(key, previous);
  reloadAt("#/cloud/administration");
  return true;
}

/** Loads the page anew at an address inside the app: nothing of the session before stays in memory. */
export function reloadAt(hash: string): void {
  history.replaceState(null, "", hash);
  location.reload();
}

/** Tells whoever keeps something of the session before. */
export function onSessionStart(listener: () => void): void {
  started.add(listener);
}

/**
 * Forgets the session and tells whoever must leave the screen. Answers that come late, to a request of a session already
 * ended, change nothing: `token` says which session the news is about. An entered session that is over leads back to the
 * one it was entered from; signing out ends both.
 */
export function endSession(reason: SessionEnd, token: string | null = storedToken()): void {
  if (token === null || token !== storedToken()) return;
  if (reason !== "signedOut" && returnFromEntered()) return;
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
