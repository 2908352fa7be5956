// oxlint-disable-next-line metrum/no-hidden-state -- tags an error whose class belongs to Node
const lostLinks = new WeakSet<Error>();

/**
 * A socket error does not say which connection was lost; code that knows it was the database's tags it here.
 */
export function noteLostLink(error: Error): void {
  lostLinks.add(error);
}

/**
 * Connection lost or refused, shutting down, starting up, out of connections, disk or memory (SQLSTATE
 * classes 08, 53, 57P): the same statement may succeed later.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (lostLinks.has(error) || isDatabaseAway(error.cause)) return true;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? /^(?:08...|53...|57P..)$/.test(code) : wordsOfDriver.test(error.message);
}

/** PostgreSQL (53100), or this process itself (ENOSPC), found no space on its disk. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ("code" in error && (error.code === "53100" || error.code === "ENOSPC")) || isStorageFull(error.cause)
  );
}

/** The driver sets no code for these. */
const wordsOfDriver =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|connection error and is not queryable/;

/** All connections of the pool are in use, or a row stays locked by others: the database itself is well. */
export const isBusy = (error: Error): boolean =>
  error.message === "timeout exceeded when trying to connect" || ("code" in error && error.code === "55P03");
