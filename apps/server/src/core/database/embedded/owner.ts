import { linkSync, rmSync, writeFileSync } from "node:fs";
import { isAlive, processStamp, readText } from "./pidFile.ts";
import { hasCode } from "../../errorCode.ts";

/**
 * Makes this process the owner, which starts and stops the database of a data directory. Returns false while
 * another live process is the owner; the file of a dead owner is replaced.
 */
export function claim(path: string): boolean {
  const mine = processStamp(process.pid);
  const draft = `${path}.${String(process.pid)}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    for (let tries = 0; tries < 3; tries++) {
      // A link appears together with its content, so a half-written file is never read.
      if (tryLink(draft, path)) return true;
      const theirs = readText(path);
      if (theirs === undefined) continue;
      if (isOther(theirs, mine)) return false;
      rmSync(path, { force: true });
    }
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Whether another live process is the owner. */
export function hasOther(path: string): boolean {
  const theirs = readText(path);
  return theirs !== undefined && isOther(theirs, processStamp(process.pid));
}

export function release(path: string): void {
  if (readText(path) === processStamp(process.pid)) rmSync(path, { force: true });
}

function isOther(theirs: string, mine: string): boolean {
  const pid = Number(theirs.split(" ")[0]);
  return theirs !== mine && pid > 0 && processStamp(pid) === theirs && isAlive(pid);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}
