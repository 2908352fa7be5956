/** A clock that is `ahead` seconds ahead of real time. */
export interface MovableClock {
  ahead: number;
  readonly nowMs: () => number;
  readonly now: () => number;
  readonly monotonicMs: () => number;
}

export function movableClock(): MovableClock {
  const clock = {
    ahead: 0,
    nowMs: () => Date.now() + clock.ahead * 1000,
    now: () => Math.floor(clock.nowMs() / 1000),
    monotonicMs: () => performance.now() + clock.ahead * 1000,
  };
  return clock;
}
