import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { byTypes, inScreens, inScripts, inTypeScript } from "./lintBreaches.ts";

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
  "apps/server/src/kinds.ts": {
    code: 'const kinds = ["a"] as const;\nexport type Kind = (typeof kinds)[number];',
    rules: ["eslint(no-unused-vars)"],
  },
  "apps/server/src/quiet.ts": {
    code: "// oxlint-disable-next-line no-console -- nothing is said\nexport const a = 1;",
    rules: ["Unused oxlint-disable directive (no problems were reported)."],
  },
  "apps/web/src/page.tsx": {
    code: 'export const Page = () => (\n  <p title="a">\n    Hello {"—"} · <b>{1}</b>\n  </p>\n);',
    rules: ["metrum(text-is-translated)"],
  },
  "apps/web/src/refs.tsx": {
    code: `declare function useRef(of: number): { current: number };
declare function useEffect(effect: () => void): void;
declare function useMemo(make: () => number): number;
export const useSeen = (now: number) => {
  const seen = useRef(now);
  useEffect(() => {
    seen.current = now;
  });
  const twice = useMemo(() => (seen.current += now));
  return { twice, forget: () => (seen.current = 0) };
};
export function Counter({ renders }: { readonly renders: { current: number } }) {
  if (renders.current < 9) renders.current++;
  return null;
}`,
    rules: ["metrum(refs-outside-render)", "metrum(refs-outside-render)"],
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
  readonly diagnostics: readonly {
    readonly code?: string;
    readonly message: string;
    readonly filename: string;
  }[];
}

interface Config {
  readonly rules: Readonly<Record<string, unknown>>;
  readonly overrides: readonly { readonly rules: Readonly<Record<string, unknown>> }[];
  readonly options: object;
}

const config = JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")) as Config;

/** What oxlint tells about programs by their paths, as `path: rule`. */
function toldIn(folder: string, programs: Readonly<Record<string, string>>, options: object): string[] {
  const own = { jsPlugins: [join(root, "scripts/lintRules.mjs")], options };
  const all = {
    ...programs,
    ".oxlintrc.json": JSON.stringify({ ...config, ...own }),
    "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, target: "ES2023", types: [] } }),
  };
  for (const [path, code] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, folder, path)), { recursive: true });
    writeFileSync(join(dir, folder, path), `${code}\n`);
  }
  const { diagnostics } = JSON.parse(told(join(dir, folder))) as Found;
  return diagnostics.map(({ code, message, filename }) => `${filename}: ${code ?? message}`);
}

it("what a rule refuses is told where it holds, and nowhere else", () => {
  const withoutTypes = { ...config.options, typeAware: false };
  const programs = Object.entries(breaches).map(([path, { code }]) => [path, code] as const);
  const expected = Object.entries(breaches).flatMap(([path, { rules }]) =>
    rules.map((rule) => `${path}: ${rule}`),
  );

  expect(toldIn("places", Object.fromEntries(programs), withoutTypes).sort()).toEqual(expected.sort());
});

it("every rule is told where it is broken", () => {
  const placed = [
    ...placedIn(
      inScripts,
      (file) => `scripts/${file}.${/^no-(delete|nonoctal|with)/.test(file) ? "cjs" : "mjs"}`,
    ),
    ...placedIn({ ...inTypeScript, ...byTypes }, (file) => `apps/server/src/${file}.ts`),
    ...placedIn(inScreens, (file) => `apps/web/src/${file}.tsx`),
  ];
  const programs = Object.fromEntries(placed.map(({ path, code }) => [path, code]));

  const found = new Set(toldIn("rules", programs, config.options));

  expect(placed.map(({ told }) => told).filter((each) => !found.has(each))).toEqual([]);
  const configured = [config, ...config.overrides].flatMap(({ rules }) => Object.keys(rules));
  expect([...new Set(configured)].sort()).toEqual(placed.map(({ rule }) => rule).sort());
});

function placedIn(codes: Readonly<Record<string, string>>, pathOf: (file: string) => string) {
  return Object.entries(codes).map(([rule, code]) => {
    const [plugin, name] = rule.includes("/") ? rule.split("/") : ["eslint", rule];
    const path = pathOf(name ?? rule);
    const spoken = plugin === "react" ? "react-hooks" : plugin;
    return { rule, path, code, told: `${path}: ${String(spoken)}(${String(name)})` };
  });
}

/** Its exit code tells that there are breaches. */
function told(cwd: string): string {
  const args = [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json"];
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, "node_modules/.bin/tsgolint") };
  try {
    return execFileSync(process.execPath, args, { cwd, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    return String((error as { readonly stdout: unknown }).stdout);
  }
}
