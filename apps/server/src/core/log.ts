import { pino, type Logger } from "pino";

export type Log = Logger;

/** The process log: JSON lines on standard error, so that standard output holds only what a command answers. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      // Tokens and passwords never reach the log, wherever they stand in a request.
      redact: ["req.headers.authorization", "req.headers.cookie", "*.password", "*.token"],
    },
    pino.destination({ dest: 2, sync: false }),
  );
}
