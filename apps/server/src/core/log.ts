import { pino, type DestinationStream, type Logger } from "pino";
import { systemClock, type Clock } from "./clock.ts";
import { isDatabaseAway } from "./database/away.ts";

export type Log = Logger;

/** A database that is away is in the way of everything: whoever says so is heard once in this time. */
const awayMs = 60_000;

/** The process log: JSON lines on standard error, so that standard output holds only what a command answers. */
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
      // Tokens and passwords never reach the log, wherever they stand in a request.
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

const fieldsOf = (about: unknown): object =>
  about instanceof Error ? { err: about } : typeof about === "object" && about !== null ? about : {};

const errorIn = (about: unknown): unknown => {
  const fields = fieldsOf(about);
  return "err" in fields ? fields.err : undefined;
};
