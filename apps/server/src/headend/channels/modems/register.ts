import type { Clock, Database, Log } from "#core";
import type { SeenModem } from "./seenModems.ts";
import {
  modemKey,
  modemsOfProcess,
  noteModemPorts,
  noteModems,
  noteModemsGone,
  type ModemRow,
} from "./modemStore.ts";

const tickMs = 1000;
/** Interval at which the table is compared with the connections. */
const compareMs = 5_000;
/** Minimum interval between two writes of a modem's last activity. */
const activitySec = 30;

/** A port whose modems are published. */
export interface WatchedPort {
  readonly port: number;
  readonly profile: string;
  readonly seen: () => readonly SeenModem[];
}

export interface RegisterOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Number of this process; it changes when the presence was lost. */
  readonly processId: () => number;
  readonly ports: readonly WatchedPort[];
}

export interface ModemRegister {
  /** Writes the changes since the last write; for tests and the timer. */
  readonly write: () => Promise<void>;
  /** Rows may have been deleted by others: all are written again. */
  readonly again: () => void;
  readonly stop: () => Promise<void>;
}

/**
 * Keeps the table of connections equal to the ports of this process, so that one query finds the modems of
 * all processes. It compares once a second and writes only differences: a failed write remains a difference.
 */
export function keepRegister(options: RegisterOptions): ModemRegister {
  const { database, clock, log, processId, ports } = options;
  let written = new Map<string, ModemRow>();
  let writtenBy: number | undefined;
  let comparedMs = clock.monotonicMs();

  const write = async (): Promise<void> => {
    const self = processId();
    if (writtenBy !== self) {
      written = new Map();
      await noteModemPorts(database.system, self, ports);
      writtenBy = self;
    }
    if (clock.monotonicMs() - comparedMs >= compareMs) {
      const standing = await modemsOfProcess(database.system, self);
      for (const key of written.keys()) if (!standing.has(key)) written.delete(key);
      comparedMs = clock.monotonicMs();
    }
    const seen = modemsOf(ports);
    const changed = [...seen].filter(([key, row]) => isNews(written.get(key), row));
    const gone = [...written].filter(([key]) => !seen.has(key));
    if (changed.length > 0)
      await noteModems(
        database.system,
        self,
        changed.map(([, row]) => row),
      );
    for (const [key, row] of changed) written.set(key, row);
    if (gone.length > 0)
      await noteModemsGone(database.system, self, {
        rows: gone.map(([, row]) => row),
        at: clock.now(),
      });
    for (const [key] of gone) written.delete(key);
  };
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;
  const timer = setInterval(() => {
    if (isWriting) return;
    isWriting = true;
    writing = write()
      .catch((error: unknown) => log.warn({ err: error }, "connections could not be written, trying again"))
      .finally(() => (isWriting = false));
  }, tickMs);
  return {
    write,
    again: () => {
      writtenBy = undefined;
    },
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

/**
 * One row per modem and port: of several connections with one identity the active one, else the last seen.
 */
function modemsOf(ports: readonly WatchedPort[]): ReadonlyMap<string, ModemRow> {
  const rows = new Map<string, ModemRow>();
  for (const { port, profile, seen } of ports)
    for (const modem of seen()) {
      const key = modemKey(port, modem.identity);
      const other = rows.get(key);
      if (!other || isBetter(modem, other)) rows.set(key, { ...modem, port, profile });
    }
  return rows;
}

function isBetter(modem: SeenModem, other: SeenModem): boolean {
  if ((modem.state === "live") !== (other.state === "live")) return modem.state === "live";
  return modem.lastAt >= other.lastAt;
}

function isNews(before: ModemRow | undefined, now: ModemRow): boolean {
  return (
    before?.state !== now.state ||
    before.connectedAt !== now.connectedAt ||
    before.gatewayId !== now.gatewayId ||
    before.modemType !== now.modemType ||
    before.rssi !== now.rssi ||
    now.lastAt - before.lastAt >= activitySec
  );
}
