import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLicence } from "#access/licence";
import { runCommand } from "#testing/program";

const folder = mkdtempSync(join(tmpdir(), "metrum-licence-"));
const key = join(folder, "private.pem");
let publicKey = "";
beforeAll(() => {
  publicKey = metrum("keygen", "--key", key).out.trim();
});
afterAll(() => rmSync(folder, { recursive: true }));

const metrum = (...args: string[]) => runCommand(["licence", ...args]);
const order = ["--key", key, "--company", "Heat District East", "--devices", "1200", "--until", "2027-12-31"];

test("LIC-009 the publisher creates a pair of keys and issues a licence that the public key verifies", () => {
  const issued = metrum("issue", ...order);

  expect(issued.status).toBe(0);
  expect(statSync(key).mode & 0o077).toBe(0);
  expect(readLicence(issued.out, [publicKey])).toMatchObject({
    company: "Heat District East",
    devices: 1200,
    expires_at: Date.parse("2028-01-01T00:00:00Z") / 1000,
  });
});

test("an existing private key is never overwritten", () => {
  const before = readFileSync(key, "utf8");

  expect(metrum("keygen", "--key", key).status).toBe(1);
  expect(readFileSync(key, "utf8")).toBe(before);
});

test("the content of a file is shown; a modified file exits 1", () => {
  const file = join(folder, "licence.json");
  metrum("issue", ...order, "--out", file);
  const good = metrum("show", file, "--public-key", publicKey);
  writeFileSync(file, readFileSync(file, "utf8").replace("1200", "9200"));
  const changed = metrum("show", file, "--public-key", publicKey);

  expect(good).toMatchObject({ status: 0, out: "Heat District East: 1200 devices until 2027-12-31\n" });
  expect([changed.status, changed.out]).toEqual([1, ""]);
});

test("an invalid date or count is reported by name", () => {
  for (const day of ["31.12.2027", "2027-02-31"]) {
    const wrong = metrum("issue", ...order.slice(0, -1), day);

    expect(wrong.status, day).toBe(2);
    expect(wrong.err).toContain("--until");
  }
});
