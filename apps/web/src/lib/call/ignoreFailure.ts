import { ApiError } from "./apiError.ts";

/** How browsers begin to say that a request, a chunk or a service worker did not arrive: a TypeError too. */
const notArrived =
  /^(?:failed to|network ?error|load failed|error loading|error in (?:body|input) stream|importing a module|fetch failed)/i;

/** By its text: importing its class would load the query library with the login page. */
const cancelled = "CancelledError";

/**
 * For `catch`, where a failure is shown elsewhere or changes nothing: refusals of the server, a lost connection,
 * answers that are no JSON, what the browser denies, and a call that nobody waits for any more. Anything else is
 * a bug: it is thrown on and reported.
 */
export function ignoreFailure(error: unknown): undefined {
  const isOfBrowser = error instanceof DOMException || error instanceof SyntaxError;
  const isLost = error instanceof TypeError && notArrived.test(error.message);
  const isCancelled = error instanceof Error && error.message === cancelled;
  if (error instanceof ApiError || isCancelled || isOfBrowser || isLost) return undefined;
  throw error;
}
