import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

interface Program {
  readonly path: string;
  /** Libraries that the system lacks. */
  readonly libraries: string | undefined;
}

/** As root Chromium has no sandbox; the other flags prevent background requests during tests. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
];

/** Usual system paths. */
const installed = "/usr/bin/chromium";

/**
 * A headless Chromium: `CHROMIUM_PATH` (a path, or `bundled`), else the bundled one, which is the same
 * everywhere and draws no window frames, else the system's if that one does not start. Errors: none can be
 * started; that is a failure of the tests, not a reason to skip them.
 */
export async function launchBrowser(): Promise<Browser> {
  return launch(await findProgram());
}

async function launch({ path, libraries }: Program): Promise<Browser> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return chromium.launch({
    executablePath: path,
    headless: true,
    args: flags,
    env: libraries === undefined ? env : { ...env, LD_LIBRARY_PATH: libraries },
  });
}

/** Path and version of the browser that the tests use. */
export async function nameOfBrowser(): Promise<string> {
  const program = await findProgram();
  const browser = await launch(program);
  const version = browser.version();
  await browser.close();
  return `${program.path}, Chromium ${version}`;
}

async function findProgram(): Promise<Program> {
  const wanted = process.env["CHROMIUM_PATH"] ?? "";
  if (wanted !== "" && wanted !== "bundled") return { path: wanted, libraries: undefined };
  const home = await unpackBundled();
  const path = join(home, "chromium");
  const brought = join(home, "al2023", "lib");
  for (const libraries of [undefined, brought]) if (await starts(path, libraries)) return { path, libraries };
  if (wanted === "" && existsSync(installed)) return { path: installed, libraries: undefined };
  throw new Error(`No browser: ${path} does not start; set CHROMIUM_PATH to a Chromium`);
}

async function starts(path: string, libraries: string | undefined): Promise<boolean> {
  const env = libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries };
  return promisify(execFile)(path, ["--version"], { env }).then(
    () => true,
    () => false,
  );
}

/** Unpacks @sparticuz/chromium once; the directory appears only when it is complete. */
async function unpackBundled(): Promise<string> {
  const packageHome = dirname(
    dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium"))),
  );
  const cache = join(dirname(dirname(packageHome)), ".cache");
  const home = join(cache, "chromium-147.0.0");
  if (existsSync(home)) return home;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(join(cache, "chromium-"));
  await unpackInto(unfinished);
  // Other users of this checkout may use it too.
  await Promise.all([chmod(unfinished, 0o755), chmod(join(unfinished, "chromium"), 0o755)]);
  await rename(unfinished, home).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  });
  return home;
}

/** The package unpacks to the temporary directory, and its libraries only on platforms it recognises. */
async function unpackInto(directory: string): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, { TMPDIR: directory, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" });
  try {
    const { default: bundled } = await import("@sparticuz/chromium");
    await bundled.executablePath();
  } finally {
    for (const name of ["TMPDIR", "AWS_EXECUTION_ENV", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "HOME"]) {
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
    }
  }
}
