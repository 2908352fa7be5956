import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const dir = mkdtempSync(join(tmpdir(), "metrum-lint-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const long = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `  use(${String(n)});`).join("\n");
const branches = Array.from({ length: 16 }, (_, n) => `  if (n === ${String(n)}) return ${String(n)};`).join(
  "\n",
);

/** A breach of each kind of rule, and what tells it. */
const breaches: Readonly<Record<string, { readonly code: string; readonly rules: readonly string[] }>> = {
  "apps/server/src/state.ts": {
    code: `const seen = new Map<string, number>();
export const list: string[] = [];
export let count = 0;
const known: ReadonlySet<string> = new Set();
const fixed: readonly string[] = [];
export const inside = () => [seen, known, fixed, new Map(), (count += 1)];`,
    rules: ["metrum(no-hidden-state)", "metrum(no-hidden-state)", "metrum(no-hidden-state)"],
  },
  "apps/server/src/main.ts": { code: "export const kept = new Map<string, number>();", rules: [] },
  "apps/server/src/environment.ts": {
    code: "export const port = process.env.PORT;",
    rules: ["metrum(environment-in-one-place)"],
  },
  "apps/server/src/config.ts": { code: "export const port = process.env.PORT;", rules: [] },
  "apps/server/src/all.ts": { code: 'export * from "./state.ts";', rules: ["metrum(exports-by-name)"] },
  "apps/server/src/climbs.ts": {
    code: 'export { inside } from "../../../state.ts";',
    rules: ["eslint(no-restricted-imports)"],
  },
  "apps/server/src/loud.ts": { code: 'console.log("a");', rules: ["eslint(no-console)"] },
  "apps/server/src/cli/loud.ts": { code: 'console.log("a");', rules: [] },
  "apps/server/src/long.ts": {
    code: `declare function use(n: number): void;\nexport function all() {\n${long(81)}\n}`,
    rules: ["eslint(max-lines-per-function)"],
  },
  "apps/server/src/branched.ts": {
    code: `export function which(n: number) {\n${branches}\n  return -1;\n}`,
    rules: ["eslint(complexity)"],
  },
  "apps/server/src/types.ts": {
    code: 'import { Log } from "./log.ts";\nexport const a = (log: Log, _given: any) => log!;\nconst unused = 1;',
    rules: [
      "eslint(no-unused-vars)",
      "typescript(consistent-type-imports)",
      "typescript(no-explicit-any)",
      "typescript(no-non-null-assertion)",
    ],
  },
  "apps/web/src/page.tsx": {
    code: 'export const Page = () => (\n  <p title="a">\n    Hello {"—"} · <b>{1}</b>\n  </p>\n);',
    rules: ["metrum(text-is-translated)"],
  },
  "apps/web/src/effect.tsx": {
    code: `declare function useEffect(effect: () => unknown): void;
export const useShown = (panel: { current?: { show: () => void } }) => {
  useEffect(() => panel.current?.show());
  useEffect(() => () => panel.current?.show());
  useEffect(() => {
    panel.current?.show();
  });
};`,
    rules: ["metrum(effects-return-cleanups)"],
  },
  "scripts/tool.mjs": {
    code: "const a = 1;\nconsole.log(nobody);\nconst b = 1;\nb = 2;",
    rules: [
      "eslint(no-const-assign)",
      "eslint(no-undef)",
      "eslint(no-unused-vars)",
      "eslint(no-unused-vars)",
    ],
  },
};

interface Found {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

it("what a rule refuses is told where it holds, and nowhere else", () => {
  const config = JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")) as object;
  const own = { jsPlugins: [join(root, "scripts/lintRules.mjs")], options: {} };
  writeFileSync(join(dir, ".oxlintrc.json"), JSON.stringify({ ...config, ...own }));
  for (const [path, { code }] of Object.entries(breaches)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), `${code}\n`);
  }

  const { diagnostics } = JSON.parse(told()) as Found;

  for (const [path, { rules }] of Object.entries(breaches)) {
    const found = diagnostics.filter(({ filename }) => filename.endsWith(path)).map(({ code }) => code);
    expect([path, ...found.sort()]).toEqual([path, ...rules]);
  }
});

/** Its exit code tells that there are breaches. */
function told(): string {
  const args = [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json"];
  try {
    return execFileSync(process.execPath, args, { cwd: dir, encoding: "utf8" });
  } catch (error) {
    return String((error as { readonly stdout: unknown }).stdout);
  }
}
