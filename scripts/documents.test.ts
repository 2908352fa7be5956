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

it("every setting that the server reads is in docs/operations.md", () => {
  const settings = [
    ...readFileSync(join(root, "apps/server/src/environment.ts"), "utf8").matchAll(/METRUM_\w+(?=:)/g),
  ];
  const documented = readFileSync(join(root, "docs/operations.md"), "utf8");

  expect(settings.length).toBeGreaterThan(20);
  expect(settings.map(([name]) => name).filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});

it("every wing and domain of the server is in ARCHITECTURE.md", () => {
  const source = join(root, "apps/server/src");
  const foldersOf = (at: string) =>
    readdirSync(at, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const rooms = ["core", "cli", "testing"];
  const wings = foldersOf(source).filter((name) => !rooms.includes(name));
  const domains = wings.flatMap((wing) => foldersOf(join(source, wing)).map((name) => `${wing}/${name}`));
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

  const isNamed = (domain: string) =>
    text.includes(`\`${domain.split("/")[1] ?? ""}\``) || text.includes(`apps/server/src/${domain}\``);

  expect(domains.length).toBeGreaterThan(20);
  expect([...rooms, ...wings].filter((name) => !text.includes(`apps/server/src/${name}\``))).toEqual([]);
  expect(domains.filter((name) => !isNamed(name))).toEqual([]);
});
