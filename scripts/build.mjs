// Builds what `npm start` runs: the web app (Vite) and one bundle of the server (esbuild). Unchanged sources are not built again.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { root } from "./install.mjs";
import { run } from "./run.mjs";

export const webDist = join(root, "apps/web/dist");
const serverDist = join(root, "apps/server/dist");
/** Public keys of the publisher of licences for server builds; a bundle that has them accepts no others. */
const licenceKeys = process.env.METRUM_LICENCE_PUBLIC_KEY ?? "";
export const serverBundle = join(serverDist, "main.js");
const shared = ["packages", "package-lock.json", "scripts/build.mjs"];

/** Output goes to standard error: standard output is reserved for the line "ready". */
export async function buildWeb(onChild) {
  await onlyIfChanged(webDist, ["apps/web", ...shared], async () => {
    const vite = join(root, "node_modules/vite/bin/vite.js");
    const args = [vite, "build", "--logLevel", "warn"];
    const env = { ...process.env, NODE_ENV: "production" };
    const options = { cwd: join(root, "apps/web"), env, stdio: ["ignore", 2, 2], onChild };
    if ((await run(process.execPath, args, options)) !== 0) throw new Error("the web app could not be built");
    await packFiles(webDist);
  });
}

/** Precompresses files at the highest level, which is too slow to do per request. Without TLS browsers accept only gzip. */
async function packFiles(folder) {
  const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.(js|css|json|svg)$/.test(name));
  for (const path of names.map((name) => join(folder, name))) {
    const plain = readFileSync(path);
    if (plain.length <= 1024) continue;
    writeFileSync(`${path}.br`, await toBrotli(plain));
    writeFileSync(`${path}.gz`, await toGzip(plain, { level: 9 }));
  }
}

export async function buildServer() {
  await onlyIfChanged(serverDist, ["apps/server", ...shared], async () => {
    const { build } = await import("esbuild");
    rmSync(serverDist, { recursive: true, force: true });
    await build({
      absWorkingDir: root,
      entryPoints: { main: "apps/server/src/main.ts", cli: "apps/server/src/cli.ts", ...workers() },
      outdir: serverDist,
      bundle: true,
      // A command loads what it needs: `metrum --help` starts in a tenth of the time that the whole takes.
      splitting: true,
      platform: "node",
      target: "node20",
      format: "esm",
      conditions: ["source"],
      sourcemap: "linked",
      logLevel: "warning",
      define: { METRUM_BUILT_IN_LICENCE_KEYS: JSON.stringify(licenceKeys) },
      plugins: [keepPackages],
    });
  });
}

/** Workers are loaded by path at run time, so each is a separate bundle next to `main.js`. */
function workers() {
  const paths = [...files(join(root, "apps/server/src"))].filter((path) => /worker\.ts$/i.test(path));
  return Object.fromEntries(paths.map((path) => [path.match(/([^/\\]+)\.ts$/)[1], path]));
}

/** Workspace packages are bundled from source; installed ones (including native modules) are not. */
const keepPackages = {
  name: "keep-packages",
  setup(build) {
    build.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
      kind === "entry-point" || path.startsWith("@metrum/") ? undefined : { path, external: true },
    );
  },
};

/** Compares contents, not times: a clone or a switch of branches touches every file. */
async function onlyIfChanged(dist, sources, build) {
  const stamp = join(dist, ".sources");
  const now = digest(sources);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === now) return;
  rmSync(stamp, { force: true });
  await build();
  writeFileSync(stamp, now);
}

function digest(sources) {
  const hash = createHash("sha256").update(`${licenceKeys}\0`);
  for (const source of sources)
    for (const path of files(join(root, source)))
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update("\0");
  return hash.digest("hex");
}

function* files(path) {
  const entries =
    path.endsWith(".json") || path.endsWith(".mjs") ? undefined : readdirSync(path, { withFileTypes: true });
  if (!entries) return yield path;
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (["node_modules", "dist"].includes(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue;
    const child = join(path, entry.name);
    if (entry.isDirectory()) yield* files(child);
    else yield child;
  }
}
