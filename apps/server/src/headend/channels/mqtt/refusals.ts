import type { MqttRefusalReason } from "@metrum/contract/metering";
import type { Clock, Database, Log } from "#core";
import { addRefusals, type MqttRefusal } from "./refusalStore.ts";

/** Something that the broker has not done for a client. */
export interface Refused {
  /** As the client gave it: there may be no such account. */
  readonly username: string;
  readonly reason: MqttRefusalReason;
  /** Topic or filter. */
  readonly detail?: string;
}

export type OnRefused = (refused: Refused) => void;

export interface RefusalNotes {
  readonly add: OnRefused;
  readonly stop: () => Promise<void>;
}

/** A client that is refused returns at once, so refusals are gathered before they are written. */
const gatherMs = 2_000;
/** Names of accounts are guessed too: what is gathered is bounded. */
const mostGathered = 1_000;
const mostDetail = 200;
/** Each account and reason is logged once in this time. */
const logEveryMs = 60_000;

/**
 * Gathers refusals and adds them to the rows of their accounts; each account and reason has a line in the log,
 * at most once a minute. Refusals that cannot be written are written with the next ones. Errors: none.
 */
export function refusalNotes(of: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}): RefusalNotes {
  const { database, clock, log } = of;
  const gathered = new Map<string, MqttRefusal & { readonly username: string }>();
  const loggedAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const write = async (): Promise<void> => {
    const rows = [...gathered.values()];
    if (rows.length === 0) return;
    try {
      await addRefusals(database, rows);
      for (const row of rows) subtract(gathered, row);
    } catch (error) {
      log.warn({ err: error }, "refusals of the MQTT broker are not stored yet");
    }
  };
  const later = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      writing = writing.then(write);
    }, gatherMs).unref();
  };
  return {
    add({ username, reason, detail = "" }) {
      const key = JSON.stringify([username, reason]);
      const before = gathered.get(key);
      if (!before && gathered.size >= mostGathered) return;
      const shown = detail.slice(0, mostDetail);
      const count = (before?.count ?? 0) + 1;
      gathered.set(key, { username, reason, detail: shown, count, last_at: clock.now() });
      const nowMs = clock.monotonicMs();
      if (nowMs - (loggedAt.get(key) ?? -Infinity) >= logEveryMs) {
        if (loggedAt.size >= mostGathered) loggedAt.clear();
        loggedAt.set(key, nowMs);
        log.warn({ account: username, reason, detail: shown }, "the MQTT broker has refused something");
      }
      later();
    },
    async stop() {
      clearTimeout(timer);
      await writing.then(write);
    },
  };
}

/** What came while a row was written stays gathered. */
function subtract<Row extends MqttRefusal & { readonly username: string }>(
  gathered: Map<string, Row>,
  written: Row,
): void {
  const key = JSON.stringify([written.username, written.reason]);
  const now = gathered.get(key);
  if (!now) return;
  if (now.count <= written.count) gathered.delete(key);
  else gathered.set(key, { ...now, count: now.count - written.count });
}
