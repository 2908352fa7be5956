import { describe, expect, it } from "vitest";
import { fuzzTargets, protocolFolders, seedFiles, targetsOfFile } from "../fuzzTargets.ts";
import { throwsOnlyProtocolErrors } from "./core/fuzz/fuzz.ts";

const targets = await fuzzTargets();

it.each(protocolFolders)("%s has fuzz targets in each of its files of seeds", async (folder) => {
  const files = seedFiles(folder);
  const own = await Promise.all(files.map((file) => targetsOfFile(folder, file)));

  // Seeds of network servers and pushes are targets of the lorawan folder, named after theirs.
  if (files.length === 0) expect(targets.map(({ name }) => name)).toContain(folder);
  expect(own.filter((found) => found.length === 0)).toEqual([]);
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
