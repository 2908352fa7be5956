const codes: readonly string[] = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"];

/** Nothing has left: the name is not known, or nobody listens there. */
export const isNotConnected = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
