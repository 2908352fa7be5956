// `npm run mutants -- [--sample=NUMBER] FOLDER…`: places one mistake after the other in pure code, or as many of them by
// chance, and lists those that no test sees.
import { createHash } from "node:crypto";
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
import type { Found, Task } from "./runner.ts";

const root = resolve(import.meta.dirname, "../..");
/** Below this share of mutants that a test sees the tests are not good enough. */
const leastShare = 0.85;

interface Plan {
  readonly codes: ReadonlyMap<string, string>;
  readonly mutants: readonly Mutant[];
  readonly tests: readonly string[];
  /** Tests near each file of mutants. */
  readonly files: Task["files"];
}

/** `sample`: how many mutants are placed; all of them without it. */
function planOf(paths: readonly string[], sample: number | undefined): Plan {
  const files = paths.flatMap((path) => filesIn(resolve(path))).filter(isMutable);
  const wanted = sample === undefined ? undefined : chosen(files, sample);
  const codes = new Map<string, string>();
  const mutants: Mutant[] = [];
  const tests = new Set<string>();
  const near: Task["files"][number][] = [];
  let firstId = 1;
  for (const file of files) {
    const isWanted = wanted && ((id: number) => wanted.has(id));
    const made = mutated(file, { firstId, ...(isWanted && { isWanted }) });
    firstId = made.nextId;
    if (made.mutants.length === 0) continue;
    codes.set(file, withCaches(made.code));
    mutants.push(...made.mutants);
    near.push({ upTo: made.nextId - 1, tests: testsNear(root, file) });
    for (const test of near.at(-1)?.tests ?? []) tests.add(test);
  }
  return { codes, mutants, tests: [...tests], files: near };
}

const mutated = (file: string, given: Parameters<typeof mutate>[2]): ReturnType<typeof mutate> =>
  mutate(relative(root, file), readFileSync(file, "utf8"), given);

/** The numbers of as many mutants by chance, the same ones each time unless `METRUM_SEED` says otherwise. */
function chosen(files: readonly string[], sample: number): ReadonlySet<number> {
  let firstId = 1;
  for (const file of files) firstId = mutated(file, { firstId }).nextId;
  const seed = process.env["METRUM_SEED"] ?? "";
  const placeOf = (id: number): string => createHash("sha256").update(`${seed}:${id}`).digest("hex");
  const ids = Array.from({ length: firstId - 1 }, (_, at) => at + 1);
  const places = new Map(ids.map((id) => [id, placeOf(id)]));
  ids.sort((a, b) => ((places.get(a) ?? "") < (places.get(b) ?? "") ? -1 : 1));
  return new Set(ids.slice(0, sample));
}

/** A run of the tests of a plan. */
async function vitestOf({ codes, tests }: Plan): Promise<Vitest> {
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
    isolate: false,
    sequence: { sequencer: InOrder },
    // The runner ends what hangs.
    testTimeout: 3_600_000,
    reporters: ["dot"],
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

/** Whether all tests pass that are not skipped. */
async function pass(vitest: Vitest): Promise<boolean> {
  await vitest.start();
  const files = vitest.state.getFiles();
  return (
    files.length > 0 &&
    files.some(({ result }) => result?.state === "pass") &&
    files.every(({ result, mode }) => result?.state === "pass" || mode === "skip") &&
    vitest.state.errorsSet.size === 0
  );
}

interface Seen {
  readonly seen: ReadonlySet<number>;
  readonly executed: ReadonlySet<number>;
}

/** The mutants that a test sees, and those that one executes; undefined if the tests fail without any. */
async function findSeen(plan: Plan): Promise<Seen | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "metrum-mutants-"));
  const [path, result] = [join(folder, "task.json"), join(folder, "found.json")];
  const task: Task = { last: plan.tests.at(-1) ?? "", result, files: plan.files };
  writeFileSync(path, JSON.stringify(task));
  process.env["METRUM_MUTANTS_TASK"] = path;
  try {
    const vitest = await vitestOf(plan);
    const isRight = await pass(vitest);
    await vitest.close();
    if (!isRight) return undefined;
    const { seen, executed, unrepeatable, unjudged } = JSON.parse(readFileSync(result, "utf8")) as Found;
    for (const name of unrepeatable) console.log(`judges no mutant, as it fails when repeated: ${name}`);
    if (unjudged.length > 0)
      console.log(`${unjudged.length} mutants count as unseen that slow tests had no time to judge`);
    return { seen: new Set(seen), executed: new Set(executed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

async function main(given: readonly string[]): Promise<number> {
  const [sample] = given.flatMap((each) => /^--sample=([1-9]\d*)$/.exec(each)?.[1] ?? []).map(Number);
  const paths = given.filter((each) => !each.startsWith("--sample="));
  if (paths.length === 0 || paths.length < given.length - (sample === undefined ? 0 : 1)) {
    console.error("Usage: npm run mutants -- [--sample=NUMBER] FOLDER|FILE …");
    return 2;
  }
  const plan = planOf(paths, sample);
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
