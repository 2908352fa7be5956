import { statfsSync } from "node:fs";
import { leastFreeBytes } from "@metrum/contract/platform";
import type { Log } from "./log.ts";
import { isStorageFull } from "./database/away.ts";

const mebibyte = 1024 ** 2;
/** Two segments of the write-ahead log: with less PostgreSQL may stop. */
const fullBytes = 32 * mebibyte;
/** How long a refused statement counts: with the disk full, ingest attempts its writes again within seconds. */
const faultMs = 30_000;
const warningEveryMs = 3600_000;
const watchEveryMs = 60_000;

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Space of the file system of the data directory, as an ordinary user has it; undefined if it cannot be read. */
export function diskSpace(dataDir: string): DiskSpace | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(dataDir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}

/** Statements that the database refused because its disk is full. */
export interface StorageFaults {
  readonly note: (error: unknown) => void;
  readonly isFull: () => boolean;
}

export function createStorageFaults(monotonicMs: () => number = () => performance.now()): StorageFaults {
  let lastMs = -Infinity;
  return {
    note(error) {
      if (isStorageFull(error)) lastMs = monotonicMs();
    },
    isFull: () => monotonicMs() - lastMs < faultMs,
  };
}

/** Where a process stores, and whether its database has refused to. */
interface Stores {
  readonly config: { readonly dataDir: string; readonly databaseUrl: string | undefined };
  readonly database: { readonly isFull: () => boolean };
}

/** Whether nothing can be stored: the database said so, or the embedded one has no space for its next segment. */
export function isOutOfSpace({ config, database }: Stores): boolean {
  if (database.isFull()) return true;
  const isEmbedded = config.databaseUrl === undefined;
  return isEmbedded && (diskSpace(config.dataDir)?.freeBytes ?? Infinity) < fullBytes;
}

/** Logs once an hour that the space runs short; returns the function that ends it. */
export function watchDisk(
  dataDir: string,
  log: Pick<Log, "warn">,
  given: {
    readonly space?: typeof diskSpace;
    readonly monotonicMs?: () => number;
    readonly everyMs?: number;
  } = {},
): () => Promise<void> {
  const { space = diskSpace, monotonicMs = () => performance.now(), everyMs = watchEveryMs } = given;
  let warnedMs = -Infinity;
  const check = (): void => {
    const found = space(dataDir);
    if (!found || found.freeBytes >= leastFreeBytes || monotonicMs() - warnedMs < warningEveryMs) return;
    warnedMs = monotonicMs();
    log.warn(
      { free_bytes: found.freeBytes, least_free_bytes: leastFreeBytes },
      "the disk of the data directory is nearly full; without space new data are refused",
    );
  };
  check();
  const timer = setInterval(check, everyMs).unref();
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}
