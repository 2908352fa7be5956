import type { Log } from "#core";
import { atMostAtOnce } from "../few.ts";

/** A row that says which process holds a line. */
export interface HeldLine {
  readonly line: string;
  /** Token of the attachment for which it was claimed. */
  readonly token: number;
}

/** Access to the rows of the lines. */
export interface HoldRows {
  /** Claims lines for this process, or raises the token of those it holds; returns those held now. */
  readonly claim: (lines: readonly string[], token: number) => Promise<ReadonlySet<string>>;
  /** Releases lines whose token has not been raised since. */
  readonly release: (lines: readonly HeldLine[]) => Promise<void>;
  readonly ours: () => Promise<readonly HeldLine[]>;
}

/** The lines of this process according to its sockets. */
export interface LineSockets {
  /** Lines with an open connection. */
  readonly open: () => readonly string[];
  /** Lines that this process holds without one: serial ports, and connections being opened. */
  readonly isKept: (line: string) => boolean;
  /** Another process holds the line: the local connection is closed. */
  readonly close: (line: string) => void;
}

export interface LineHolds {
  readonly claim: (line: string) => Promise<boolean>;
  /** Releases the line, unless it is claimed again meanwhile. Never rejects. */
  readonly giveBack: (line: string) => Promise<void>;
  /**
   * Reconciles rows and sockets: claims open lines not held, releases lines found held but not open twice in
   * a row.
   */
  readonly reconcile: (sockets: LineSockets) => Promise<void>;
}

/** Pool connections used for releasing lines. */
const mostAtOnce = 4;

/**
 * Tracks which lines this process holds in the database. Every claim has a greater token than those before,
 * so that releasing an ended connection cannot release the line of its successor, in whatever order the
 * database executes the two.
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
