import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import tseslint from "typescript-eslint";

interface Rules {
  readonly rules: Readonly<
    Record<string, { readonly meta: { readonly docs?: { readonly requiresTypeChecking?: boolean } } }>
  >;
}

interface Configured {
  readonly rules: Readonly<Record<string, unknown>>;
}

/** Not among the rules of oxlint. */
const unknownToOxlint = ["no-unsafe-class-instance-assignment"];
/** Refuses what makes signatures of generic functions readable. */
const unwanted = ["no-unnecessary-type-parameters"];

it("all rules by types of strictTypeChecked are checked", () => {
  const { rules } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../.oxlintrc.json"), "utf8"),
  ) as Configured;
  const checked = Object.keys(rules).map((name) => name.replace("typescript/", ""));
  const strict = tseslint.configs.strictTypeChecked.flatMap((config) => Object.entries(config.rules ?? {}));
  const known = (tseslint.plugin as unknown as Rules).rules;
  const byTypes = strict.flatMap(([name, level]) => {
    const own = name.replace("@typescript-eslint/", "");
    return level !== "off" && known[own]?.meta.docs?.requiresTypeChecking ? own : [];
  });

  expect(byTypes.length).toBeGreaterThan(40);
  expect(byTypes.filter((name) => !checked.includes(name)).sort()).toEqual(
    [...unknownToOxlint, ...unwanted].sort(),
  );
});
