/** Whether an error of the system or of PostgreSQL has this code: ENOENT, 28P01. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
