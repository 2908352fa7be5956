import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { throwsOnlyProtocolErrors, type FuzzTarget } from "./core/fuzz/fuzz.ts";
import * as protocols from "./index.ts";

const targets: readonly FuzzTarget[] = Object.entries(protocols)
  .filter(([name]) => name.endsWith("Fuzz"))
  .flatMap(([, target]) => target as FuzzTarget | readonly FuzzTarget[]);

/** Folders of protocols, with their files of seeds. */
const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "core")
  .map(({ name }) => {
    const files = readdirSync(`${import.meta.dirname}/${name}`, { recursive: true, encoding: "utf8" });
    return [name, files.filter((file) => /seeds\.ts$/i.test(file))] as const;
  });

it.each(folders)("every fuzz target of %s is exported", async (folder, files) => {
  const modules = await Promise.all(
    files.map((file) => import(`./${folder}/${file}`) as Promise<Record<string, unknown>>),
  );
  const own = modules.map((module) => Object.keys(module).filter((name) => name.endsWith("Fuzz")));

  // Seeds of network servers and pushes are targets of the lorawan folder, named after theirs.
  if (files.length === 0) expect(targets.map(({ name }) => name)).toContain(folder);
  expect(own.filter((names) => names.length === 0)).toEqual([]);
  expect(Object.keys(protocols)).toEqual(expect.arrayContaining(own.flat()));
});

it("every target of the fuzz run has a unique name", () => {
  expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length);
});

describe.each(targets)("$name", (target) => {
  it("throws nothing but ProtocolError on changed frames", () => {
    expect(target.seeds.length).toBeGreaterThan(0);
    throwsOnlyProtocolErrors(target);
  });
});
