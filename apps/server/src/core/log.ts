import { pino, type DestinationStream, type Logger } from "pino";
import { systemClock, type Clock } from "./time/clock.ts";
import { isDatabaseAway } from "./database/away.ts";

export type Log = Logger;

/**
 * An unavailable database makes everything fail: repeated reports of it are logged once per this interval.
 */
const awayMs = 60_000;

/**
 * The process log: JSON lines on standard error, because standard output is reserved for the output of
 * commands.
 */
export function createLog(
  level: string,
  to?: DestinationStream,
  clock: Pick<Clock, "monotonicMs"> = systemClock,
): Log {
  let [lastMs, skipped] = [-Infinity, 0];
  return pino(
    {
      level,
      base: null,
      // Tokens and passwords never reach the log, wherever they are in a request.
      redact: ["req.headers.authorization", "req.headers.cookie", "*.password", "*.token"],
      hooks: {
        logMethod([about, ...words], write) {
          if (!isDatabaseAway(errorIn(about))) {
            write.apply(this, [about, ...words]);
            return;
          }
          const nowMs = clock.monotonicMs();
          if (nowMs - lastMs < awayMs) {
            skipped += 1;
            return;
          }
          write.apply(this, [{ ...fieldsOf(about), skipped }, ...words]);
          [lastMs, skipped] = [nowMs, 0];
        },
      },
    },
    to ?? pino.destination({ dest: 2, sync: false }),
  );
}

/** A path or query without the tokens of letters and sessions, which are 43 characters long. */
export const withoutTokens = (url: string): string => url.replaceAll(/[\w-]{40,}/g, "[token]");

/** The request of a log line. */
export const loggedRequest = ({ method, url, ip }: Readonly<Record<"method" | "url" | "ip", string>>) => ({
  method,
  url: withoutTokens(url),
  remoteAddress: ip,
});

const fieldsOf = (about: unknown): object =>
  about instanceof Error ? { err: about } : typeof about === "object" && about !== null ? about : {};

const errorIn = (about: unknown): unknown => {
  const fields = fieldsOf(about);
  return "err" in fields ? fields.err : undefined;
};
