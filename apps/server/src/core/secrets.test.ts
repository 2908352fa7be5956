import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { createSecretBox, secretsKeyFile } from "./secrets.ts";

const run = promisify(execFile);

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), "metrum-secrets-"));
  folders.push(made);
  return made;
};
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true });
});

test("a sealed secret opens for the same purpose only, and not after a change", () => {
  const box = createSecretBox({ dataDir: folder() });
  const sealed = box.seal("JBSWY3DPEHPK3PXP", "two_factor:7");
  const altered = Buffer.from(sealed);
  altered[20] = (altered[20] ?? 0) ^ 1;

  expect(box.open(sealed, "two_factor:7")).toBe("JBSWY3DPEHPK3PXP");
  expect(sealed.includes("JBSWY3DPEHPK3PXP")).toBe(false);
  expect(box.seal("JBSWY3DPEHPK3PXP", "two_factor:7").equals(sealed)).toBe(false);
  expect(() => box.open(sealed, "two_factor:8")).toThrow();
  expect(() => box.open(altered, "two_factor:7")).toThrow();
  expect(() => box.open(Buffer.alloc(3), "two_factor:7")).toThrow("not a sealed secret");
});

test("the key file is created at the first use, readable by its owner only; another key opens nothing", () => {
  const dataDir = join(folder(), "data");
  const sealed = createSecretBox({ dataDir }).seal("secret", "x");
  const file = join(dataDir, secretsKeyFile);

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => createSecretBox({ dataDir: folder() }).open(sealed, "x")).toThrow();
});

test("a file that is not a key is reported by name and not overwritten", () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, secretsKeyFile), "garbage");

  expect(() => createSecretBox({ dataDir }).mac("a", "b")).toThrow(secretsKeyFile);
  expect(readFileSync(join(dataDir, secretsKeyFile), "utf8")).toBe("garbage");
});

test("processes that start at once share one key", async () => {
  const dataDir = folder();
  const module = new URL("secrets.ts", import.meta.url).href;
  const code = `
    import { createSecretBox } from ${JSON.stringify(module)};
    process.stdout.write(createSecretBox(${JSON.stringify({ dataDir })}).mac("a", "b").toString("hex"));
  `;
  const args = ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", code];

  const runs = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, args)));

  expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
  expect(runs[0]?.stdout).toMatch(/^[0-9a-f]{64}$/);
});
