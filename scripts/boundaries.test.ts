import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { breaches } from "./boundaryBreaches.ts";

const root = join(import.meta.dirname, "..");
const dir = mkdtempSync(join(tmpdir(), "metrum-boundaries-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Report {
  readonly summary: { readonly violations: readonly { from: string; rule: { name: string } }[] };
}

/** What dependency-cruiser tells about the planted files, as `rule: path`. */
function told(): ReadonlySet<string> {
  const files = Object.assign({}, ...Object.values(breaches)) as Readonly<Record<string, string>>;
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), code);
  }
  for (const file of [".dependency-cruiser.cjs", "tsconfig.json"]) cpSync(join(root, file), join(dir, file));
  writeFileSync(join(dir, "package.json"), '{ "name": "planted", "type": "module" }');
  const args = [join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs"), "packages", "apps"];
  args.push("--config", ".dependency-cruiser.cjs", "--output-type", "json");
  const report = JSON.parse(execFileSync(process.execPath, args, { cwd: dir, encoding: "utf8" })) as Report;
  return new Set(report.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`));
}

it("each rule of imports is told where it is broken", () => {
  const { forbidden } = createRequire(import.meta.url)(join(root, ".dependency-cruiser.cjs")) as {
    readonly forbidden: readonly { readonly name: string }[];
  };
  const planted = Object.entries(breaches).map(([rule, tree]) => `${rule}: ${String(Object.keys(tree)[0])}`);

  const found = told();

  expect(planted.filter((each) => !found.has(each))).toEqual([]);
  expect(Object.keys(breaches).sort()).toEqual(forbidden.map(({ name }) => name).sort());
});
