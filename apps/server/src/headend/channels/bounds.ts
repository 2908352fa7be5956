import type { Clock } from "#core";

/** Limits shared by all listeners of a process (security rules, section 4). */
const maxConnections = 20_000;
const maxPerAddress = 5_000;
const maxNewPerSec = 500;

/** Counts incoming connections and refuses those beyond the limits. */
export interface ConnectionLimiter {
  /** True: the connection is admitted, and `leave` must be called when it ends. */
  enter(address: string): boolean;
  leave(address: string): void;
  readonly refused: number;
}

export function createConnectionLimiter(clock: Clock): ConnectionLimiter {
  const byAddress = new Map<string, number>();
  let open = 0;
  let refused = 0;
  let credit = maxNewPerSec;
  let creditedMs = clock.monotonicMs();
  const hasCredit = (): boolean => {
    const now = clock.monotonicMs();
    credit = Math.min(maxNewPerSec, credit + ((now - creditedMs) * maxNewPerSec) / 1000);
    creditedMs = now;
    return credit >= 1;
  };
  return {
    get refused() {
      return refused;
    },
    enter(address) {
      const here = byAddress.get(address) ?? 0;
      if (open >= maxConnections || here >= maxPerAddress || !hasCredit()) {
        refused += 1;
        return false;
      }
      credit -= 1;
      open += 1;
      byAddress.set(address, here + 1);
      return true;
    },
    leave(address) {
      open -= 1;
      const here = (byAddress.get(address) ?? 1) - 1;
      if (here > 0) byAddress.set(address, here);
      else byAddress.delete(address);
    },
  };
}
