const key = "metrum.token";
/** The session of the staff member, while one entered from it is active. */
const previousKey = "metrum.previousToken";
const enteredKey = "metrum.enteredFromAdmin";
/** Stored data of a session; the language and the theme stay. */
const sessionKeys = [key, previousKey, enteredKey, "metrum.appData", "metrum.phone", "metrum.subscriberName"];

/**
 * By the user, here or in another tab; by the server's 401; or because access could not be loaded or excludes
 * the web.
 */
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

/** Switches to a session entered from the administration; the present one is kept under the second key. */
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

/**
 * Returns to the previous session: its token is restored, and the page is reloaded. False when there is none.
 */
export function returnFromEntered(): boolean {
  const previous = localStorage.getItem(previousKey);
  if (previous === null) return false;
  localStorage.removeItem(previousKey);
  localStorage.removeItem(enteredKey);
  localStorage.setItem(key, previous);
  reloadAt("#/cloud/administration");
  return true;
}

/**
 * Reloads the page at an address inside the app, so that nothing of the previous session stays in memory. The
 * router is bypassed: it would load the screen in the page being left.
 */
export function reloadAt(hash: string): void {
  History.prototype.replaceState.call(history, null, "", hash);
  location.reload();
}

/** Notifies code that holds data of the previous session. */
export function onSessionStart(listener: () => void): void {
  started.add(listener);
}

/**
 * Ends the session and notifies its listeners. Late answers to requests of an ended session change nothing:
 * `token` identifies the session concerned. An entered session that has ended returns to the one it was
 * entered from; signing out ends both.
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

/** Signing out in another tab signs out here; signing in there as another user switches this tab too. */
export function watchOtherTabs(): void {
  addEventListener("storage", ({ key: changed }) => {
    if (changed !== key && changed !== null) return;
    if (storedToken() === null) tell("signedOut");
    else location.reload();
  });
}
