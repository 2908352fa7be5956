// eslint-disable-next-line no-restricted-syntax -- a mark on an error, whose class belongs to Node
const lostLinks = new WeakSet<Error>();

/** An error of a socket says that some link is lost; whoever knows that it was the one to the database notes it here. */
export function noteLostLink(error: Error): void {
  lostLinks.add(error);
}

/**
 * Link lost or refused, shutting down, starting up, out of connections, of disk or of memory (SQLSTATE classes 08, 53, 57P): the
 * same statement may succeed later.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (lostLinks.has(error) || isDatabaseAway(error.cause)) return true;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? /^(?:08...|53...|57P..)$/.test(code) : wordsOfDriver.test(error.message);
}

/** The driver gives these no code. */
const wordsOfDriver =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|connection error and is not queryable/;
