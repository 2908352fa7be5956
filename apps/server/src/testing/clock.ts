import { systemClock, type Clock } from "#core";

/** A clock that is `ahead` seconds ahead of real time. */
export interface MovableClock extends Clock {
  ahead: number;
  /** Whether a wait by this clock ends at once and moves the clock by its length. */
  skipsWaits: boolean;
}

export function movableClock(): MovableClock {
  const clock: MovableClock = {
    ahead: 0,
    skipsWaits: false,
    nowMs: () => Date.now() + clock.ahead * 1000,
    now: () => Math.floor(clock.nowMs() / 1000),
    monotonicMs: () => performance.now() + clock.ahead * 1000,
    after: (ms, run) => {
      const skippedMs = clock.skipsWaits ? ms : 0;
      return systemClock.after(ms - skippedMs, () => {
        clock.ahead += skippedMs / 1000;
        run();
      });
    },
  };
  return clock;
}

/** For calls that wait for a device where no process works: they answer at once what they would answer later. */
export const impatientClock = (): MovableClock => Object.assign(movableClock(), { skipsWaits: true });
