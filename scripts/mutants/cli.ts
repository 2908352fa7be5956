// `npm run mutants -- FOLDER…`: places one mistake after the other in pure code and lists those that no test sees.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import {
  BaseSequencer,
  createVitest,
  type CliOptions,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import { mutate, withCaches, type Mutant } from "./mutate.ts";
import { filesIn, isMutable, testsNear } from "./nearTests.ts";
import type { Found } from "./runner.ts";

const root = resolve(import.meta.dirname, "../..");
/** Below this share of mutants that a test sees the tests are not good enough. */
const leastShare = 0.85;

interface Plan {
  readonly codes: ReadonlyMap<string, string>;
  readonly mutants: readonly Mutant[];
  readonly tests: readonly string[];
}

function planOf(paths: readonly string[]): Plan {
  const codes = new Map<string, string>();
  const mutants: Mutant[] = [];
  const tests = new Set<string>();
  for (const file of paths.flatMap((path) => filesIn(resolve(path))).filter(isMutable)) {
    const made = mutate(relative(root, file), readFileSync(file, "utf8"), mutants.length + 1);
    codes.set(file, withCaches(made.code));
    mutants.push(...made.mutants);
    for (const test of testsNear(root, file)) tests.add(test);
  }
  return { codes, mutants, tests: [...tests] };
}

/** A run of the tests of a plan; with `isAlone` each file has a process of its own, which the first failure ends. */
async function vitestOf({ codes, tests }: Plan, isAlone: boolean): Promise<Vitest> {
  class InOrder extends BaseSequencer {
    override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const placeOf = ({ moduleId }: TestSpecification): number => tests.indexOf(moduleId);
      return Promise.resolve([...files].sort((a, b) => placeOf(a) - placeOf(b)));
    }
  }
  const options: CliOptions = {
    config: false,
    root,
    watch: false,
    include: tests.map((path) => relative(root, path)),
    environment: "node",
    runner: join(import.meta.dirname, "runner.ts"),
    pool: "forks",
    maxWorkers: 1,
    // Loading the modules for each mutant would take hours.
    isolate: isAlone,
    sequence: { sequencer: InOrder },
    // The runner ends what hangs.
    testTimeout: 3_600_000,
    bail: isAlone ? 1 : 0,
    reporters: isAlone ? [{}] : ["dot"],
  };
  const isSource = (id: string): boolean =>
    /\.tsx?$/.test(id) && !/\/node_modules\/|\/scripts\/mutants\/|\.test\.tsx?$/.test(id);
  const plugin = {
    name: "mutants",
    enforce: "pre" as const,
    transform: (text: string, id: string) =>
      isSource(id) ? { code: codes.get(id) ?? withCaches(text), map: null } : null,
  };
  const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source"] } } };
  return createVitest("test", options, { ...source, root, plugins: [plugin] });
}

/** Whether all tests pass. */
async function pass(vitest: Vitest): Promise<boolean> {
  vitest.state.filesMap.clear();
  vitest.state.errorsSet.clear();
  await vitest.start();
  const files = vitest.state.getFiles();
  return (
    files.length > 0 &&
    files.every(({ result }) => result?.state === "pass") &&
    vitest.state.errorsSet.size === 0
  );
}

interface Seen {
  readonly seen: Set<number>;
  readonly executed: ReadonlySet<number>;
}

/** The mutants that a test sees, and those that one executes; undefined if the tests fail without any. */
async function findSeen(plan: Plan): Promise<Seen | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "metrum-mutants-"));
  const result = join(folder, "found.json");
  process.env["METRUM_MUTANTS_RESULT"] = result;
  try {
    const together = await vitestOf(plan, false);
    const isRight = await pass(together);
    await together.close();
    if (!isRight) return undefined;
    const found = JSON.parse(readFileSync(result, "utf8")) as Found;
    for (const name of found.unrepeatable)
      console.log(`judges no mutant, as it fails when repeated: ${name}`);
    const seen = new Set(found.seen);
    const alone = [...new Set(found.alone)].filter((id) => !seen.has(id));
    for (const id of await seenAlone(plan, alone, join(folder, "only"))) seen.add(id);
    return { seen, executed: new Set([...found.executed, ...found.alone]) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function seenAlone(plan: Plan, alone: readonly number[], path: string): Promise<number[]> {
  if (alone.length === 0) return [];
  console.log(`${alone.length} mutants are executed while modules are loaded, and so judged one by one`);
  delete process.env["METRUM_MUTANTS_RESULT"];
  process.env["METRUM_MUTANTS_ONLY"] = path;
  const vitest = await vitestOf(plan, true);
  const seen: number[] = [];
  for (const id of alone) {
    writeFileSync(path, String(id));
    if (!(await pass(vitest))) seen.push(id);
  }
  await vitest.close();
  return seen;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const shortOf = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 100);

function report({ mutants }: Plan, seen: ReadonlySet<number>, executed: ReadonlySet<number>): number {
  for (const { id, file, line, column, was, becomes } of mutants.filter((each) => !seen.has(each.id))) {
    const where = `${file}:${String(line)}:${String(column)}`;
    console.log(
      `${where}  ${shortOf(was)}  ->  ${shortOf(becomes)}${executed.has(id) ? "" : "  (no test runs it)"}`,
    );
  }
  console.log(`\n${"mutants".padStart(7)} ${"seen".padStart(6)} ${"share".padStart(8)}  file`);
  for (const file of new Set(mutants.map((each) => each.file))) {
    const own = mutants.filter((each) => each.file === file);
    row(own.length, own.filter(({ id }) => seen.has(id)).length, file);
  }
  row(mutants.length, seen.size, "together");
  return seen.size / mutants.length;
}

const row = (all: number, seen: number, name: string): void =>
  console.log(
    `${String(all).padStart(7)} ${String(seen).padStart(6)} ${percent(seen / all).padStart(8)}  ${name}`,
  );

async function main(paths: readonly string[]): Promise<number> {
  if (paths.length === 0) {
    console.error("Usage: npm run mutants -- FOLDER|FILE …");
    return 2;
  }
  const plan = planOf(paths);
  if (plan.mutants.length === 0 || plan.tests.length === 0) {
    console.error(plan.tests.length === 0 ? "no tests without a database are near" : "nothing to mutate");
    return 2;
  }
  console.log(`${plan.mutants.length} mutants, ${plan.tests.length} files of tests`);
  const found = await findSeen(plan);
  if (!found) {
    console.error("the tests fail without a mutant");
    return 2;
  }
  return report(plan, found.seen, found.executed) >= leastShare ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
