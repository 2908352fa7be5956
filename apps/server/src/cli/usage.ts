/** The command was called wrongly; its message is all that is said, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
