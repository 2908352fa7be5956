/** State of the shell that may need a notice strip. */
export interface ShellState {
  /** Epoch seconds of the last answer while the server is not reachable. */
  readonly lostAt: number | null;
  /** Expiry of the licence or the company; null if it does not concern the user. */
  readonly expiry: "info" | "warning" | null;
  readonly hasNewVersion: boolean;
  readonly isTestBuild: boolean;
}

export type StripKind = "offline" | "expiryWarning" | "expiryInfo" | "newVersion" | "testBuild";

/** One strip at a time, the most serious one. */
export function stripOf({ lostAt, expiry, hasNewVersion, isTestBuild }: ShellState): StripKind | null {
  if (lostAt !== null) return "offline";
  if (expiry === "warning") return "expiryWarning";
  if (expiry === "info") return "expiryInfo";
  if (hasNewVersion) return "newVersion";
  return isTestBuild ? "testBuild" : null;
}
