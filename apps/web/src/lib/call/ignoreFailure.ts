import { ApiError } from "./apiError.ts";

/**
 * How browsers begin to say that a request, a chunk or a service worker did not arrive, and the query library that
 * a call was cancelled: importing the class of that would load the library with the login page.
 */
const notArrived =
  /^(?:cancelled|failed to|network ?error|load failed|error (?:loading|in )|importing a module)/i;

/**
 * For `catch`, where a failure is shown elsewhere or changes nothing: refusals of the server, a lost connection,
 * answers that are no JSON, what the browser denies, and a call that nobody waits for any more. Anything else is
 * a bug: it is thrown on and reported.
 */
export function ignoreFailure(error: unknown): undefined {
  const isOfBrowser = error instanceof DOMException || error instanceof SyntaxError;
  const isLost = error instanceof Error && notArrived.test(error.message);
  if (error instanceof ApiError || isOfBrowser || isLost) return undefined;
  throw error;
}
