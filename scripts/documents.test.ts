import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

it.each(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])("every path that %s names exists", (name) => {
  const text = readFileSync(join(root, name), "utf8");
  const named = [...text.matchAll(/`((?:apps|packages|scripts|docs|e2e|bench)(?:\/[\w.-]+)*)`/g)].map(
    (match) => match[1] ?? "",
  );
  const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map((match) => match[1] ?? "");

  expect(named.length + linked.length).toBeGreaterThan(3);
  expect([...named, ...linked].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
