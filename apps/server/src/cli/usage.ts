/** The command was called wrongly; its message is all that is said, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What `parse` gives; what it does not understand is told with the usage. */
export function orUsage<Parsed>(usage: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : ""}\n\n${usage}`, { cause });
  }
}
