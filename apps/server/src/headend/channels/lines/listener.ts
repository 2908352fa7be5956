import type { Log } from "#core";
import type { Channel } from "../channel.ts";
import { LineElsewhere, type Lines, type LineTarget } from "./lines.ts";

/**
 * Pauses before a line that could not be opened, or broke, is tried again; each is twice the previous one.
 */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** A line missing for this long is reported once: devices and programs start in any order. */
const reportAfterMs = 30_000;

export interface ListenerOptions {
  readonly lines: Lines;
  readonly target: LineTarget;
  /** Bytes to send before a receiver delivers anything; none when empty. */
  readonly hello: Uint8Array;
  /** The line has been opened: state of an earlier connection is discarded. */
  readonly onOpen: () => void;
  /** Handles received bytes; nothing more is read while it is pending. Must not reject. */
  readonly take: (bytes: Uint8Array) => Promise<void>;
  readonly log: Log;
}

export interface Listener {
  readonly stop: () => Promise<void>;
}

/**
 * A line with unsolicited telegrams: opened, listened to, and reopened when it breaks. It has no other users
 * meanwhile.
 */
export function listenOn(options: ListenerOptions): Listener {
  const { lines, target, log } = options;
  let stopping = false;
  const isStopped = (): boolean => stopping;
  let wake = (): void => undefined;
  let open: Channel | undefined;
  let pauseMs = firstPauseMs;
  const absence = tellOnce(log, target.key);
  const hear = async (channel: Channel): Promise<void> => {
    open = channel;
    if (isStopped()) channel.close();
    log.debug({ line: target.key }, "listening to a line");
    absence.end();
    await untilClosed(channel, options, () => (pauseMs = firstPauseMs));
    open = undefined;
  };
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!isStopped()) {
      try {
        await lines.lend(target, hear);
        if (!isStopped()) log.warn({ line: target.key }, "a line that is listened to was lost");
      } catch (error) {
        absence.note(error, pauseMs);
      }
      if (isStopped()) return;
      await pause();
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping = true;
      wake();
      open?.close();
      await running;
    },
  };
}

/** Reports a line that stays missing, once until it is back. */
function tellOnce(log: Log, line: string) {
  let waitedMs = 0;
  let isReported = false;
  return {
    /** It was missing, and is tried again after the pause. */
    note(error: unknown, pauseMs: number): void {
      const isNews = !isReported && waitedMs >= reportAfterMs;
      isReported ||= isNews;
      waitedMs += pauseMs;
      const isElsewhere = error instanceof LineElsewhere;
      const fields = { ...(isElsewhere ? {} : { err: error }), line, pauseMs };
      const message = isElsewhere
        ? "another process listens to a line"
        : "a line cannot be listened to, trying again";
      log[isNews && !isElsewhere ? "warn" : "debug"](fields, message);
    },
    end(): void {
      waitedMs = 0;
      isReported = false;
    },
  };
}

async function untilClosed(
  channel: Channel,
  { hello, onOpen, take }: ListenerOptions,
  onBytes: () => void,
): Promise<void> {
  onOpen();
  channel.listen((bytes) => {
    onBytes();
    return take(bytes);
  });
  const closed = new Promise<void>((resolve) => channel.onClose(resolve));
  if (hello.length > 0) await channel.write(hello);
  await closed;
  channel.listen(undefined);
}
