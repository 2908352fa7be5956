import { readdirSync } from "node:fs";
import type { FuzzTarget } from "./src/core/fuzz/fuzz.ts";

const sources = `${import.meta.dirname}/src`;

/** Folders of protocols. */
export const protocolFolders: readonly string[] = readdirSync(sources, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "core")
  .map(({ name }) => name);

/** Files of seeds of one protocol, below its folder. */
export const seedFiles = (folder: string): readonly string[] =>
  readdirSync(`${sources}/${folder}`, { recursive: true, encoding: "utf8" }).filter((file) =>
    /seeds\.ts$/i.test(file),
  );

const targetsOf = (module: Readonly<Record<string, unknown>>): readonly FuzzTarget[] =>
  Object.entries(module)
    .filter(([name]) => name.endsWith("Fuzz"))
    .flatMap(([, target]) => target as FuzzTarget | readonly FuzzTarget[]);

/** Targets that one file of seeds exports as `…Fuzz`. */
export async function targetsOfFile(folder: string, file: string): Promise<readonly FuzzTarget[]> {
  return targetsOf((await import(`${sources}/${folder}/${file}`)) as Record<string, unknown>);
}

/** Targets of all protocols. Looks into folders, which `src` does not: its code does no I/O. */
export async function fuzzTargets(): Promise<readonly FuzzTarget[]> {
  const files = protocolFolders.flatMap((folder) =>
    seedFiles(folder).map((file) => targetsOfFile(folder, file)),
  );
  return (await Promise.all(files)).flat();
}
