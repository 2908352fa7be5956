import type { Stop } from "#core";

/** Changes within this time are announced together. */
const gatherMs = 250;
/** Changes in one message between processes. */
const largestBatch = 2_000;

interface Announced<Change> {
  /** Returns the unsubscribe function. */
  readonly subscribe: (listener: (changes: readonly Change[]) => void) => () => void;
  readonly keyOf: (change: Change) => string;
  /** How two changes with the same key are merged; by default the later one wins. */
  readonly merge?: (known: Change, change: Change) => Change;
  readonly announce: (batch: Change[]) => void;
}

/** Announces changes in batches, one of each key, in the order of their last occurrence. */
export function announceGathered<Change>({
  subscribe,
  keyOf,
  merge = (_, change) => change,
  announce,
}: Announced<Change>): Stop {
  const gathered = new Map<string, Change>();
  let timer: NodeJS.Timeout | undefined;

  const send = (): void => {
    timer = undefined;
    const changes = [...gathered.values()];
    gathered.clear();
    for (let at = 0; at < changes.length; at += largestBatch) announce(changes.slice(at, at + largestBatch));
  };
  const unsubscribe = subscribe((changes) => {
    for (const change of changes) {
      const key = keyOf(change);
      const known = gathered.get(key);
      gathered.delete(key);
      gathered.set(key, known === undefined ? change : merge(known, change));
    }
    timer ??= setTimeout(send, gatherMs);
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
    if (gathered.size > 0) send();
    return Promise.resolve();
  };
}
