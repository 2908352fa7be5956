// Plain Node without packages: this runs before any are installed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";

export const root = join(import.meta.dirname, "..");
const lock = join(root, "package-lock.json");
const installed = join(root, "node_modules/.package-lock.json");
const stamp = join(root, "node_modules/.metrum-lock");

/** Ends with a clear message instead of a syntax error inside a package. */
export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Metrum needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs the packages of the lock file when they are missing or older than it; exits when that fails. */
export async function ensureInstalled(onChild = () => undefined) {
  if (isInstalled()) return;
  console.log("Installing packages (npm ci) ...");
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  // No install scripts: no package needs one (the database engine creates its library links itself).
  const args = ["ci", "--ignore-scripts", "--include=dev", "--include=optional"];
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const code = await run(command, [...first, ...args, ...quiet], { cwd: root, onChild });
  if (code !== 0) {
    console.error("The packages could not be installed; npm says why above.");
    process.exit(code);
  }
  writeFileSync(stamp, digest(lock));
}

function isInstalled() {
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digest(lock);
}

function digest(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
