// JavaScript, style sheets and fonts of the first load of the main pages, from the build.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { webDist } from "./build.mjs";

/**
 * Additional chunks of a page, by the end of their path, and the limit of its JavaScript in KiB. Texts are
 * plain JSON: those of one language are reported separately, as no page loads two.
 */
const shell = ["app/guard.ts", "frame/Shell.tsx"];
const budgets = [
  { page: "login", needs: ["entry/LoginRoute.tsx"], texts: ["common", "auth"], most: 135 },
  {
    page: "device list",
    needs: [...shell, "devices/DevicesPage.tsx"],
    texts: ["common", "shell", "devices", "grid"],
    most: 175,
  },
  {
    page: "device data",
    needs: [...shell, "device-data/DeviceDataPage.tsx"],
    texts: ["common", "shell", "deviceData", "devices", "grid", "chart", "dateRange"],
    most: 218,
  },
];
/** Loaded by index.html itself, before any chunk. */
const early = "theme.js";
const mostCss = 20;
/** Letters of the widest language; the woff2 files are compressed already. */
const fonts = { names: ["latin-wght-normal", "sans-cyrillic-wght-normal", "sans-mongolian"], most: 80 };

/** Prints one line per page; returns 0 when each keeps its budget and 1 otherwise. */
export function checkSizes() {
  const manifest = JSON.parse(readFileSync(join(webDist, ".vite/manifest.json"), "utf8"));
  const results = budgets.map((budget) => check(manifest, budget));
  return [...results, checkFonts()].every(Boolean) ? 0 : 1;
}

function check(manifest, { page, needs, texts, most }) {
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
  const loaded = new Set();
  for (const start of [entry, ...needs.flatMap((path) => chunksOf(manifest, path))])
    addWithImports(manifest, start, loaded);
  const scripts = [early, ...[...loaded].map((key) => manifest[key].file)];
  const styles = new Set([...loaded].flatMap((key) => manifest[key].css ?? []));
  const isScriptKept = say(`${page}: JavaScript`, zipped(scripts), most, scripts.length);
  tellTexts(page, texts);
  return say(`${page}: CSS`, zipped([...styles]), mostCss, styles.size) && isScriptKept;
}

function checkFonts() {
  const files = readdirSync(join(webDist, "assets")).filter((file) =>
    fonts.names.some((name) => file.includes(name)),
  );
  const bytes = files.reduce((sum, file) => sum + statSync(join(webDist, "assets", file)).size, 0);
  return say("font of one language", bytes, fonts.most, files.length) && files.length === fonts.names.length;
}

function tellTexts(page, texts) {
  const folder = readdirSync(join(webDist, "assets")).find((name) => name.startsWith("texts-"));
  const bytes = zipped(texts.map((name) => `assets/${folder}/ru/${name}.json`));
  console.log(`       ${page}: texts: ${(bytes / 1024).toFixed(1)} KiB gz of JSON in ${texts.length} files`);
}

const zipped = (files) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(webDist, file))).length, 0);

function say(what, bytes, most, files) {
  const kib = bytes / 1024;
  const isKept = kib <= most;
  const mark = isKept ? "ok    " : "FAILED";
  console.log(`${mark} ${what}: ${kib.toFixed(1)} KiB gz in ${files} files (at most ${most})`);
  return isKept;
}

/** Pages are loaded on demand, so each has a separate chunk; an unmatched name would count as 0. */
function chunksOf(manifest, path) {
  // A chunk that another page imports as well is named by its main module, not by its path.
  const name = path.replace(/^.*\/|\.tsx?$/g, "");
  const isShared = ({ name: own, file }) => own === name && file.endsWith(".js");
  const found = Object.keys(manifest).filter((key) => key.endsWith(path) || isShared(manifest[key]));
  if (found.length === 0) throw new Error(`scripts/sizes.mjs: the build has no chunk of ${path}`);
  return found;
}

function addWithImports(manifest, key, loaded) {
  if (loaded.has(key) || !manifest[key].file.endsWith(".js")) return;
  loaded.add(key);
  for (const next of manifest[key].imports ?? []) addWithImports(manifest, next, loaded);
}
