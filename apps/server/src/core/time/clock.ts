/**
 * Clock of the domains, set by tests. Wall time in epoch seconds UTC; `monotonicMs` for intervals and leases.
 */
export interface Clock {
  readonly now: () => number;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** Calls back once after this time, unless the returned function is called before. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The clock with its wall time stopped. */
export function momentOf(clock: Clock): Clock {
  const [now, nowMs] = [clock.now(), clock.nowMs()];
  return { ...clock, now: () => now, nowMs: () => nowMs };
}

/** A clock that was moved is noticed this soon. */
const lookMs = 50;

/** Waits until so many milliseconds have passed on the clock. */
export async function pause(clock: Pick<Clock, "monotonicMs">, ms: number): Promise<void> {
  const untilMs = clock.monotonicMs() + ms;
  for (let leftMs = ms; leftMs > 0; leftMs = untilMs - clock.monotonicMs())
    await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, lookMs)));
}
