import type { Clock } from "../clock.ts";
import type { Database } from "./database.ts";

export interface Reading<Result> {
  readonly read: () => Promise<Result>;
  readonly isFinal: (result: Result) => boolean;
  /** Notifications after which it is read again: those on this channel with this payload. */
  readonly channel: string;
  readonly payload: string;
  /** What is read after this is the result, final or not. */
  readonly waitMs: number;
  /** Pause after which it is read again without a notification: one may be lost while the listener connects. */
  readonly pauseMs: number;
}

/** Reads until the result is final or the time is over, again whenever another process notifies about it. */
export async function readUntil<Result>(
  { database, clock }: { readonly database: Pick<Database, "listener">; readonly clock: Clock },
  { read, isFinal, channel, payload, waitMs, pauseMs }: Reading<Result>,
): Promise<Result> {
  const untilMs = clock.monotonicMs() + waitMs;
  let wake = (): void => undefined;
  const unlisten = database.listener.on(channel, (notified) => {
    if (notified === payload) wake();
  });
  try {
    for (;;) {
      // Listened to before the read: what is notified during it counts.
      const notified = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      const result = await read();
      if (isFinal(result) || clock.monotonicMs() >= untilMs) return result;
      await notified;
    }
  } finally {
    wake();
    unlisten();
  }
}
