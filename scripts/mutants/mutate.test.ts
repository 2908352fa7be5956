import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { cachesName, mutate, switchName, withCaches, type Mutant } from "./mutate.ts";
import { isMutable, testsNear } from "./nearTests.ts";

const root = join(import.meta.dirname, "../..");

/** What a source exports as `answer`, with one of its mutants switched on; its error if it throws. */
function answers(text: string): {
  readonly right: string;
  readonly wrong: (mutant: Mutant) => string;
  readonly all: readonly Mutant[];
} {
  const { code, mutants } = mutate("sample.ts", text);
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS },
  });
  const answerOf = (on: number): string => {
    const exported: { answer?: unknown } = {};
    const globals = { [switchName]: (id: number) => id === on };
    try {
      // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the sample is of this file
      new Function("exports", "globalThis", outputText)(exported, globals);
      return JSON.stringify([exported.answer]);
    } catch (error) {
      return String(error);
    }
  };
  return { right: answerOf(0), wrong: ({ id }) => answerOf(id), all: mutants };
}

it.each<[string, string, readonly string[]]>([
  ["an operator", "const [a, b] = f(); export const answer = a - b;", ["a + b"]],
  ["a bound", "const [a, b] = f(); export const answer = [a < 7, b < 6];", ["a <= 7", "a >= 7", "b <= 6"]],
  ["a sign", "const [a] = f(); export const answer = [-a, !a];", ["a"]],
  ["a text", 'export const answer = f().join("-");', ['""']],
  ["a default", "export const answer = f()[2] ?? 8;", ["f()[2] && 8"]],
  ["defaults", "export const answer = f()[2] ?? f()[3] ?? 8;", ["(f()[2] ?? f()[3]) && 8"]],
  ["a filter", "export const answer = f().filter((each) => each > 6);", ["f()", "undefined", "each <= 6"]],
  ["a function of numbers", "export const answer = Math.min(...f());", ["Math.max(...f())"]],
  ["a branch", "let answer = 1; if (f()[0] === 7) { answer = 2; } export { answer };", ["{}", "false"]],
  ["a chain", "const g = (a?: number[]) => a?.at(0); export const answer = g();", ["a.at(0)"]],
  ["a pair", "const [a, b] = f(); const c = [a, b]; export const answer = c;", ["[]"]],
])("a mistake in %s is placed, and changes only what is switched on", (_, text, expected) => {
  const { right, wrong, all } = answers(`const f = () => [7, 6];\n${text}`);
  const placed = all.filter(({ line }) => line === 2);

  expect(placed.map(({ becomes }) => becomes)).toEqual(expect.arrayContaining([...expected]));
  for (const mutant of placed.filter(({ becomes }) => expected.includes(becomes)))
    expect(`${mutant.was} -> ${mutant.becomes}: ${wrong(mutant)}`).not.toBe(
      `${mutant.was} -> ${mutant.becomes}: ${right}`,
    );
});

it("types, imports, names and texts of errors are left as they are", () => {
  const { mutants } = mutate(
    "sample.ts",
    'import a from "a";\ntype B = "b" | { c: -1 };\nexport const d = (e: B) => { throw new Error("f"); };\nvoid { "g-h": a };',
  );

  expect(mutants.map(({ was }) => was)).toEqual(['{ throw new Error("f"); }', '{ "g-h": a }']);
});

it("words of a language are left as they are", () => {
  const { mutants } = mutate(
    "sample.ts",
    'export const a = [text("b", "c", "d"), unit("кВт", "kW"), { ru: "e", at: "f" }];',
  );

  expect(mutants.map(({ was }) => was)).toEqual([
    '[text("b", "c", "d"), unit("кВт", "kW"), { ru: "e", at: "f" }]',
    '{ ru: "e", at: "f" }',
    '"f"',
  ]);
});

it("of a sample only the wanted ones are placed, by the numbers that they have without it", () => {
  const text = "export const a = (b: number) => { if (b > 1) return -b; return b; };";
  const all = mutate("sample.ts", text, { firstId: 5 });
  const [second] = all.mutants.slice(1);
  const one = mutate("sample.ts", text, { firstId: 5, isWanted: (id) => id === second?.id });

  expect(one.mutants).toEqual([second]);
  expect(one.nextId).toBe(5 + all.mutants.length);
  expect(one.code.match(/isMutant\$\(\d+\)/g)).toEqual([`isMutant$(${String(second?.id)})`]);
});

it("a cache of a module can be emptied", () => {
  const { outputText } = ts.transpileModule(
    withCaches('const known = new Map<string, number>();\nknown.set("a", 1);\nexports.known = known;'),
    { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS } },
  );
  const globals: { [cachesName]?: Set<Map<string, number>> } = {};
  const exported: { known?: Map<string, number> } = {};

  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the sample is of this file
  new Function("exports", "globalThis", outputText)(exported, globals);
  for (const cache of globals[cachesName] ?? []) cache.clear();

  expect(exported.known?.size).toBe(0);
});

it("tests near a file are those that reach it without a database, the direct ones first", () => {
  const folder = join(root, "apps/server/src/accounting/accounting-points/days");
  const near = testsNear(root, join(folder, "usual.ts"));

  expect(near[0]).toBe(join(folder, "usual.test.ts"));
  expect(near).toContain(join(folder, "days.test.ts"));
  expect(near).not.toContain(join(folder, "../totals/totalsJob.test.ts"));
  // Those of the folder above are asked only where the folder has none.
  const kinds = join(root, "apps/server/src/accounting/validation/kinds");
  expect(testsNear(root, join(kinds, "clock.ts")).map((path) => dirname(path))).toContain(kinds);
  expect(testsNear(root, join(kinds, "clock.ts"))).not.toContain(join(kinds, "../bounds.test.ts"));
  // It imports a type of it, and nothing else.
  expect(testsNear(root, join(kinds, "kind.ts"))).not.toContain(join(kinds, "../bounds.test.ts"));
  expect(testsNear(root, join(kinds, "index.ts"))).toContain(join(kinds, "../bounds.test.ts"));
  // No test of the browser has a database.
  const address = join(root, "apps/web/src/app/address.ts");
  expect(testsNear(root, address)[0]).toBe(address.replace(".ts", ".test.ts"));
  const commands = join(root, "packages/vocabulary/src/commands");
  expect(testsNear(root, join(commands, "clock.ts"))).toContain(`${commands}.test.ts`);
  // What only makes values needs no database.
  expect(near).toContain(join(folder, "oracle.test.ts"));
  expect([join(folder, "usual.ts"), join(folder, "tieStore.ts"), near[0] ?? ""].map(isMutable)).toEqual([
    true,
    false,
    false,
  ]);
});
