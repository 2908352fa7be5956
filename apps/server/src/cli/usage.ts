/** The command was called wrongly; only its message is printed, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Result of `parse`; errors of its arguments are reported with the usage. */
export function orUsage<Parsed>(usage: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (cause) {
    throw new UsageError(`${cause instanceof Error ? cause.message : ""}\n\n${usage}`, { cause });
  }
}
