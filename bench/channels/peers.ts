import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Dialogue } from "../../apps/server/src/headend/dialogue/index.ts";
import type { MqttCredentials } from "../../apps/server/src/headend/channels/index.ts";
import type { BenchApi } from "../api.ts";

/** The platform that the programs meet. */
export interface Platform {
  readonly api: BenchApi;
  readonly dialogue: Dialogue;
  readonly mqtt: MqttCredentials & { readonly port: number };
  /** A counter of the LoRaWAN network of the company. */
  readonly counter: { readonly id: number; readonly devEui: string };
}

/** A program of somebody else, and what it must be able to do with the platform. */
export interface Peer {
  readonly name: string;
  /** How it is started. */
  readonly command: string;
  /** Undefined: it is not installed. */
  readonly version: () => string | undefined;
  /** Throws if it cannot do it. */
  readonly meet: (platform: Platform) => Promise<void>;
}

/** The first line that a program says of itself; undefined without it. */
export function versionOf(program: string, given: readonly string[]): string | undefined {
  if (program.startsWith("/") && !existsSync(program)) return undefined;
  const { stdout, stderr, error } = spawnSync(program, [...given], { encoding: "utf8" });
  if (error) return undefined;
  return `${stdout}\n${stderr}`
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
}

/** The version of a package of this project. */
export function packageVersion(name: string): string {
  return versionIn(createRequire(import.meta.url).resolve(`${name}/package.json`), name);
}

function versionIn(file: string, name: string): string {
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  return `${name} ${version}`;
}

let folderOfGlobals: string | undefined;

/** Where the packages lie that are installed for the whole machine (`npm install --global`). */
function globals(): string {
  folderOfGlobals ??= spawnSync("npm", ["root", "--global"], { encoding: "utf8" }).stdout.trim();
  return folderOfGlobals;
}

/** The exports of a package that is installed for the whole machine. Errors: Error when it is not there. */
export const globalPackage = (name: string): unknown => createRequire(join(globals(), "index.js"))(name);

/** Its version; undefined without it, or without `needed`, a file that is built from its sources. */
export function globalVersion(name: string, needed = "package.json"): string | undefined {
  const folder = join(globals(), name);
  if (!existsSync(join(folder, needed))) return undefined;
  return versionIn(join(folder, "package.json"), name);
}

export interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a program to its end, while the platform in this process works on. */
export function run(program: string, given: readonly string[], input = ""): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...given]);
    const [answered, complained]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (bytes: Buffer) => answered.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => complained.push(bytes));
    child.once("error", reject);
    child.once("close", (code) => {
      const text = Buffer.concat(answered.length > 0 ? answered : complained).toString();
      resolve({ code, text });
    });
    child.stdin.end(input);
  });
}

/** Throws unless the condition holds in time. */
export async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen in a minute`);
}

export function mustHold(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

export function mustEqual(found: unknown, wanted: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}
