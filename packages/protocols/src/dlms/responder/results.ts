/** Result codes: data-access-result and action-result share these. */
export const results = {
  done: 0,
  /** read-write-denied: the client lacks the right. */
  denied: 3,
  /** temporary-failure: the meter declines. */
  refused: 2,
  undefined: 4,
  unavailable: 11,
  typeUnmatched: 12,
  other: 250,
} as const;
