const codes: readonly string[] = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"];

/** Nothing was sent: the name is unknown, or the connection refused. */
export const isNotConnected = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
