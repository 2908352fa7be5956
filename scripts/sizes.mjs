// First-load JavaScript of the pages that count, gzipped, as the build made it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { webDist } from "./build.mjs";

/** Modules that a page needs beside the entry, by the end of their path, and what it may weigh in KiB. */
const budgets = [
  { page: "login", needs: ["auth/LoginPage.tsx"], most: 140 },
  { page: "device list", needs: ["app/Shell.tsx", "devices/DevicesPage.tsx"], most: 190 },
];

/** Prints one line a page; returns 0 when each keeps its budget and 1 otherwise. */
export function checkSizes() {
  const manifest = JSON.parse(readFileSync(join(webDist, ".vite/manifest.json"), "utf8"));
  const results = budgets.map((budget) => check(manifest, budget));
  return results.every(Boolean) ? 0 : 1;
}

function check(manifest, { page, needs, most }) {
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  const loaded = new Set();
  for (const start of [entry, ...needs.flatMap((path) => chunksOf(manifest, path))])
    addWithImports(manifest, start, loaded);
  let bytes = 0;
  for (const key of loaded) bytes += gzipSync(readFileSync(join(webDist, manifest[key].file))).length;
  const kib = bytes / 1024;
  const isKept = kib <= most;
  console.log(
    `${isKept ? "ok    " : "FAILED"} ${page}: ${kib.toFixed(1)} KiB gz in ${loaded.size} files (at most ${most})`,
  );
  return isKept;
}

/** Pages are loaded on demand, so each has a chunk of its own; a name that fits none would weigh nothing. */
function chunksOf(manifest, path) {
  const found = Object.keys(manifest).filter((key) => key.endsWith(path));
  if (found.length === 0) throw new Error(`scripts/sizes.mjs: the build has no chunk of ${path}`);
  return found;
}

function addWithImports(manifest, key, loaded) {
  if (loaded.has(key) || !manifest[key].file.endsWith(".js")) return;
  loaded.add(key);
  for (const next of manifest[key].imports ?? []) addWithImports(manifest, next, loaded);
}
