import type { Stop } from "./domain.ts";
import type { Listener } from "./notify.ts";

/** Repeated background work. */
export interface RoundsOptions {
  /** Interval between rounds. */
  readonly everyMs: number;
  /** Notifications on these channels start a round as well. */
  readonly on?: { readonly listener: Listener; readonly channels: readonly string[] };
  readonly round: () => Promise<void>;
  /** Reports a failed round; the next one follows as usual. */
  readonly onError: (error: unknown) => void;
}

/** Rounds in progress. */
export interface Rounds {
  /** Starts another round after the present one. */
  readonly again: () => void;
  /** For rounds that end early when stopped. */
  readonly isStopped: () => boolean;
  /** Starts no further round, and resolves when the present one has ended. */
  readonly stop: Stop;
}

/**
 * Runs a round now, at intervals and on notifications, one after another: rows are the truth, and a
 * notification may be lost.
 */
export function startRounds({ everyMs, on, round, onError }: RoundsOptions): Rounds {
  let running: Promise<void> = Promise.resolve();
  let isWaiting = false;
  let isStopped = false;
  const begin = async (): Promise<void> => {
    isWaiting = false;
    if (!isStopped) await round();
  };
  const again = (): void => {
    // A round that waits will see all that has happened until it begins.
    if (isWaiting) return;
    isWaiting = true;
    running = running.then(begin).catch(onError);
  };
  const timer = setInterval(again, everyMs);
  const unsubscribe = on?.channels.map((channel) => on.listener.on(channel, again)) ?? [];
  again();
  return {
    again,
    isStopped: () => isStopped,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      for (const each of unsubscribe) each();
      await running;
    },
  };
}
