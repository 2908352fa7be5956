/**
 * Clock of the domains, set by tests. Wall time in epoch seconds UTC; `monotonicMs` for intervals and leases.
 */
export interface Clock {
  readonly now: () => number;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
