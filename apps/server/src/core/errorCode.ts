/** Whether an error is one of the system with this code, as ENOENT. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
