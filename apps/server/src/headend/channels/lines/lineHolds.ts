import type { Log } from "#core";
import { atMostAtOnce } from "../few.ts";

/** A row that says which process holds a line. */
export interface HeldLine {
  readonly line: string;
  /** Number of the attachment for which it was taken. */
  readonly token: number;
}

/** The rows of the lines, as the store keeps them. */
export interface HoldRows {
  /** Takes lines for this process, or raises the token of those it has; returns those that are ours now. */
  readonly claim: (lines: readonly string[], token: number) => Promise<ReadonlySet<string>>;
  /** Gives back lines whose token has not grown since. */
  readonly release: (lines: readonly HeldLine[]) => Promise<void>;
  readonly ours: () => Promise<readonly HeldLine[]>;
}

/** Lines of this process as its sockets are. */
export interface LineSockets {
  /** Lines with an open connection. */
  readonly open: () => readonly string[];
  /** Lines that this process holds without one: serial ports, and connections that are being opened. */
  readonly isKept: (line: string) => boolean;
  /** Another process holds the line: what is open here ends. */
  readonly close: (line: string) => void;
}

export interface LineHolds {
  readonly claim: (line: string) => Promise<boolean>;
  /** Gives the line back, unless it is claimed once more before that is done. Never rejects. */
  readonly giveBack: (line: string) => Promise<void>;
  /** Brings rows and sockets together: takes what is open and not held, gives back what was held twice in a row without being open. */
  readonly reconcile: (sockets: LineSockets) => Promise<void>;
}

/** Connections of the pool that lines which are given back may take. */
const mostAtOnce = 4;

/**
 * Which lines this process holds in the database. Every claim has a token greater than those before, so that giving back a connection that
 * has ended cannot take away the line from the one that came after it, in whatever order the database does both.
 */
export function createLineHolds(rows: HoldRows, log: Log): LineHolds {
  const few = atMostAtOnce(mostAtOnce);
  const tokens = new Map<string, number>();
  let last = Date.now() * 1000;
  let idleBefore = new Map<string, number>();
  const claimAll = async (lines: readonly string[]): Promise<ReadonlySet<string>> => {
    const token = ++last;
    const taken = await rows.claim(lines, token);
    for (const line of taken) tokens.set(line, Math.max(token, tokens.get(line) ?? 0));
    return taken;
  };
  const release = async (lines: readonly HeldLine[]): Promise<void> => {
    try {
      await few(() => rows.release(lines));
      for (const { line, token } of lines) if (tokens.get(line) === token) tokens.delete(line);
    } catch (error) {
      log.warn({ err: error }, "lines could not be given back, trying again");
    }
  };
  return {
    claim: async (line) => (await claimAll([line])).has(line),
    async giveBack(line) {
      const token = tokens.get(line);
      if (token !== undefined) await release([{ line, token }]);
    },
    async reconcile({ open, isKept, close }) {
      const openBefore = open();
      const held = new Map((await rows.ours()).map(({ line, token }) => [line, token]));
      const opened = new Set(open());
      const unheld = openBefore.filter((line) => opened.has(line) && !held.has(line));
      if (unheld.length > 0) {
        log.warn({ lines: unheld.length }, "open lines were not held in the database, taking them again");
        const taken = await claimAll(unheld);
        for (const line of unheld) if (!taken.has(line)) close(line);
      }
      const idle = new Map([...held].filter(([line]) => !opened.has(line) && !isKept(line)));
      const left = [...idle].filter(([line, token]) => idleBefore.get(line) === token);
      idleBefore = idle;
      if (left.length > 0) await release(left.map(([line, token]) => ({ line, token })));
    },
  };
}
