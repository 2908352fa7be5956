import type { Clock } from "./clock.ts";
import type { Database } from "../database/database.ts";
import { remember, remembered } from "../database/installationStore.ts";

/** A larger difference of the two clocks of this machine is a step of the system clock, not drift. */
const stepSec = 5;
/** The same for the time that was last seen, which may be that of another machine. */
const seenStepSec = 60;
const keepMs = 20_000;

interface Seen {
  readonly at: number;
}

/**
 * Notices that the clock was set back, while this process runs or since another one ran: the last time seen is stored
 * under a name. `onBack` brings near what waits for times of the former clock. Returns the look, one for each round of
 * work; a rejected one is repeated.
 */
export function watchClock(
  { database: { system }, clock }: { readonly database: Pick<Database, "system">; readonly clock: Clock },
  name: string,
  onBack: (bySec: number) => Promise<void>,
): () => Promise<void> {
  const key = `clock_seen:${name}`;
  const difference = (): number => clock.nowMs() - clock.monotonicMs();
  let known = difference();
  let isFirst = true;
  let keptMs = -Infinity;
  /** Seconds by which the clock was set back since the last look; 0: it was not. */
  const steppedBack = async (now: number, present: number): Promise<number> => {
    const whileRunning = present < known - stepSec * 1000 ? Math.round((known - present) / 1000) : 0;
    if (!isFirst) return whileRunning;
    const sinceSeen = ((await remembered<Seen>(system, key))?.at ?? 0) - now;
    return Math.max(whileRunning, sinceSeen > seenStepSec ? sinceSeen : 0);
  };
  return async () => {
    const [now, present] = [clock.now(), difference()];
    const bySec = await steppedBack(now, present);
    if (bySec > 0) await onBack(bySec);
    known = present;
    isFirst = false;
    if (bySec === 0 && clock.monotonicMs() - keptMs < keepMs) return;
    await remember(system, key, { at: now } satisfies Seen);
    keptMs = clock.monotonicMs();
  };
}
