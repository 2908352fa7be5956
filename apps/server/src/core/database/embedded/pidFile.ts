import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { output } from "./execute.ts";
import { hasCode } from "../../errorCode.ts";

const lockName = "postmaster.pid";

/** A postmaster running on this data directory, as its lock file describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Directory of its socket, or the address it listens on. */
  readonly host: string;
  /** Its executable was deleted or replaced (packages reinstalled): it must not serve any longer. */
  readonly outdated: boolean;
}

/**
 * The running postmaster of `database`, or undefined. After a kill the pid in the lock file may have been
 * reused by an unrelated process.
 */
export async function livingPostmaster(database: string): Promise<Postmaster | undefined> {
  const lines = readText(join(database, lockName))?.split("\n");
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  if (!(await commandLine(pid)).includes(database)) return undefined;
  return {
    pid,
    port: Number(lines[3] ?? 0),
    host: (lines[4] ?? "") || (lines[5] ?? ""),
    outdated: isDeleted(pid),
  };
}

/**
 * Removes the lock files of a dead server and returns whether there were any. PostgreSQL would mistake any
 * process that reuses the pid for a postmaster and refuse to start; leftover backends it detects by their
 * shared memory.
 */
export function clearLocks(database: string): boolean {
  const names = readdirSync(database).filter(
    (name) => name === lockName || /^\.s\.PGSQL\.\d+\.lock$/.test(name),
  );
  for (const name of names) rmSync(join(database, name), { force: true });
  return names.length > 0;
}

/** Whether a process runs, of any user; a zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!hasCode(error, "EPERM")) return false;
  }
  return !["Z", "X"].includes(procWords(pid)[0] ?? "");
}

/** Identifies a process uniquely: its pid and, where the system provides it, its start time. */
export function processStamp(pid: number): string {
  return `${String(pid)} ${procWords(pid)[19] ?? ""}`.trim();
}

/**
 * The fields of /proc/PID/stat after the name, which is in brackets and may contain spaces; empty without
 * /proc.
 */
function procWords(pid: number): string[] {
  const stat = readText(`/proc/${String(pid)}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
}

async function commandLine(pid: number): Promise<string[]> {
  const raw = readText(`/proc/${String(pid)}/cmdline`);
  if (raw !== undefined) return raw.split("\0");
  return (await output("ps", ["-ww", "-o", "command=", "-p", String(pid)]))?.split(" ") ?? [];
}

function isDeleted(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${String(pid)}/exe`).endsWith(" (deleted)");
  } catch {
    return false;
  }
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
