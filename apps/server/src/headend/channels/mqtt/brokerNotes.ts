import type { Clock, Log } from "#core";
import type { OnRefused } from "./refusals.ts";
import type { SessionCounts } from "./accountSessions.ts";

/** Drops of an account since the broker was started. */
export interface DroppedCounts {
  /** Queued messages of offline or slow clients. */
  readonly droppedMessages: number;
  readonly droppedSessions: number;
  /** Connections whose client did not read. */
  readonly slowClients: number;
  /** Connections, filters and wills beyond the limits of the account. */
  readonly refused: number;
}

/** Connections and filters of connected clients. */
export interface GuestCounts {
  readonly connections: number;
  readonly filters: number;
}

export type BrokerCounts = SessionCounts & GuestCounts & DroppedCounts;

/** Bytes in memory apart from queued messages. */
interface HeldBytes {
  readonly willBytes: number;
  readonly receivingBytes: number;
  readonly unreadBytes: number;
}

export type BrokerTotals = BrokerCounts & HeldBytes;

/** Counts and logs drops. */
export interface Note {
  readonly dropped: (account: string, what: { readonly messages: number; readonly sessions: number }) => void;
  readonly slow: (account: string) => void;
  readonly refused: (account: string) => void;
  readonly counts: (account: string) => DroppedCounts;
  /** Sums over all accounts, for the metrics. */
  readonly totals: () => DroppedCounts;
}

/** An account is logged once per interval, with the accumulated counts. */
const sayEveryMs = 60_000;

const nothing: DroppedCounts = { droppedMessages: 0, droppedSessions: 0, slowClients: 0, refused: 0 };

export function noteDropped(of: {
  readonly log: Log;
  readonly clock: Clock;
  readonly onRefused: OnRefused;
}): Note {
  const { log, clock, onRefused } = of;
  const byAccount = new Map<string, DroppedCounts>();
  const saidAt = new Map<string, number>();
  const add = (account: string, more: Partial<DroppedCounts>): void => {
    const now = sumOf(byAccount.get(account) ?? nothing, more);
    byAccount.set(account, now);
    const nowMs = clock.monotonicMs();
    if (nowMs - (saidAt.get(account) ?? -Infinity) < sayEveryMs) return;
    saidAt.set(account, nowMs);
    log.warn({ account, ...now }, "the broker has reached the bounds of an account and drops what is beyond");
  };
  return {
    dropped: (account, { messages, sessions }) =>
      add(account, { droppedMessages: messages, droppedSessions: sessions }),
    slow(account) {
      onRefused({ username: account, reason: "slow" });
      add(account, { slowClients: 1 });
    },
    refused(account) {
      onRefused({ username: account, reason: "limit" });
      add(account, { refused: 1 });
    },
    counts: (account) => byAccount.get(account) ?? nothing,
    totals: () => [...byAccount.values()].reduce(sumOf, nothing),
  };
}

function sumOf(a: DroppedCounts, b: Partial<DroppedCounts>): DroppedCounts {
  return {
    droppedMessages: a.droppedMessages + (b.droppedMessages ?? 0),
    droppedSessions: a.droppedSessions + (b.droppedSessions ?? 0),
    slowClients: a.slowClients + (b.slowClients ?? 0),
    refused: a.refused + (b.refused ?? 0),
  };
}
