import { expect, it } from "vitest";
import { filesWithPatterns, patternsOfNames } from "./namePatterns.ts";

/** Files with patterns that hold for names of fields too, though they tell other things apart. */
const ofOtherThings: Readonly<Record<string, string>> = {
  "apps/server/src/metering/devices/filterStore.ts": "states of a device, by their whole names",
  "apps/server/src/metering/imports/parse.ts": "columns of a file, by their whole names",
  "apps/server/src/platform/demo/accounting.ts": "houses by their number",
  "apps/server/src/platform/demo/city.ts": "houses by their number",
};

it.each([
  'name.startsWith("tariff")',
  'const prefix = "tariff_"; name.startsWith(prefix)',
  "name.startsWith(`power_a_${way}`)",
  'name.endsWith("_kkt")',
  'field.includes("negative")',
  'name.replace("delta_", "")',
  "/^tariff(_negative)?[1-6]$/.test(name)",
  "/[1-3]$/.exec(name)",
  "/_(?:kkt|factor)$/.test(name)",
  "/^(?:kW|kvar|kVA)$/.test(unit)",
  'new RegExp("^delta_")',
  "new RegExp(`^power_${way}$`)",
  "sql`select 1 from field where name like 'tariff%' and id = ${id}`",
  "client.query(\"select 1 from field where name ~ '^power_[ar]'\")",
])("a pattern that tells fields apart by their names is found: %s", (text) => {
  expect(patternsOfNames(text)).toHaveLength(1);
});

it.each([
  'model.fields.includes("tariff1")',
  'name === "tariff0"',
  "values[`voltage${phase}`]",
  'path.startsWith("/cloud")',
  "/^[a-z]+(_[a-z]+)*$/.test(name)",
  "/\\s+/.exec(text)",
  "/^park\\.\\d+$/.test(key)",
  "sql`select 1 from job where key like 'park.%'`",
])("nothing else is taken for one: %s", (text) => {
  expect(patternsOfNames(text)).toEqual([]);
});

it("fields, their columns and units are told apart by the vocabulary, not by patterns on their names", () => {
  expect(Object.keys(filesWithPatterns())).toEqual(Object.keys(ofOtherThings));
});
