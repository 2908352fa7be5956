import type { Clock } from "../time/clock.ts";
import type { Database } from "./database.ts";

export interface Reading<Result> {
  readonly read: () => Promise<Result>;
  readonly isFinal: (result: Result) => boolean;
  /** Channel and payload of the notifications that trigger another read. */
  readonly channel: string;
  readonly payload: string;
  /** The read after this time is the result, final or not. */
  readonly waitMs: number;
  /** Interval of reads without a notification: one may be lost while the listener connects. */
  readonly pauseMs: number;
}

/** Reads until the result is final or the time is over; reads again on every matching notification. */
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
      // Subscribed before the read: a notification during the read counts.
      const notified = new Promise<void>((resolve) => {
        const cancel = clock.after(Math.min(pauseMs, Math.max(0, untilMs - clock.monotonicMs())), resolve);
        wake = () => {
          cancel();
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
