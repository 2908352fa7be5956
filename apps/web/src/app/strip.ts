/** What the shell knows that may deserve a strip. */
export interface ShellState {
  /** Epoch seconds of the last answer while the server is not reached. */
  readonly lostAt: number | null;
  /** Of the licence or the company; null where nobody has to care. */
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
