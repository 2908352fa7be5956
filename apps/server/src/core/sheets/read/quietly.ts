const unsaid = (): void => undefined;

/**
 * Runs a library that writes remarks on odd files to the console, without them. Only what `work` itself does is
 * silent: it does not wait for anything, so nothing else can speak meanwhile, and what it throws is thrown.
 */
export function quietly<Result>(work: () => Result): Result {
  const { error, warn, log } = console;
  Object.assign(console, { error: unsaid, warn: unsaid, log: unsaid });
  try {
    return work();
  } finally {
    Object.assign(console, { error, warn, log });
  }
}
