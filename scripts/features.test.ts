import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "metrum-features-"));
  for (const name of ["docs", "scripts", "src"]) mkdirSync(join(copy, name));
  cpSync(join(root, "scripts/features.mjs"), join(copy, "scripts/features.mjs"));
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const items = [1, 2, 3, 4, 5].map((at) => `- **ABC-00${String(at)}** It does [000 §1:1]`);
  writeFileSync(
    join(copy, "docs/features.md"),
    `## ABC: Letters\n\n${items.join("\n")}\n- **ABC-006** Gone (withdrawn)\n`,
  );
});
afterAll(() => rmSync(copy, { recursive: true }));

function features(testFile: string): { status: number | null; out: string } {
  writeFileSync(join(copy, "src/a.test.ts"), testFile);
  const done = spawnSync(process.execPath, [join(copy, "scripts/features.mjs")], { encoding: "utf8" });
  return { status: done.status, out: done.stdout };
}

test("ids count in titles of tests only, including tables of tests, excluding skipped tests", () => {
  const { status, out } = features(`
    // ABC-003 in a comment
    const text = "ABC-003";
    test("ABC-001 works", () => { expect("ABC-003"); });
    describe("letters", () => { it.each([[1], [2]])(\`ABC-002 for %s \${text}\`, () => {}); });
    test.skip("ABC-004 later", () => {});
  `);

  expect(status).toBe(0);
  expect(out).toMatch(/ABC +Letters +5 +2 +3\n/);
  expect(out).toMatch(/ABC +003 004 005\n/);
});

test("a generic arrow function hides no id of a file without elements", () => {
  const { out } = features(`
    const same = <Value>(value: Value) => value;
    test("ABC-001 works", () => { expect(same(1)); });
  `);

  expect(out).toMatch(/ABC +Letters +5 +1 +4\n/);
});

test("an id that is not in the checklist is an error", () => {
  const { status, out } = features(`test("ABC-009 and UTF-008", () => {});`);

  expect(status).toBe(1);
  expect(out).toContain("unknown id ABC-009 in src/a.test.ts");
  expect(out).not.toContain("UTF-008");
});
