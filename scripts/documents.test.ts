import { existsSync, readdirSync, readFileSync } from "node:fs";
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

it("every setting that the server reads stands in docs/operations.md", () => {
  const settings = [
    ...readFileSync(join(root, "apps/server/src/config.ts"), "utf8").matchAll(/METRUM_\w+(?=:)/g),
  ];
  const documented = readFileSync(join(root, "docs/operations.md"), "utf8");

  expect(settings.length).toBeGreaterThan(20);
  expect(settings.map(([name]) => name).filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});

it("every folder of the server stands in ARCHITECTURE.md", () => {
  const folders = readdirSync(join(root, "apps/server/src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

  expect(
    folders.filter((name) => !text.includes(`\`${name}\``) && !text.includes(`apps/server/src/${name}\``)),
  ).toEqual([]);
});
