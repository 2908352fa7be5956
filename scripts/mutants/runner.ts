// Runs each test once as it is, then once for each living mutant that it executes, in the same process. Slow tests judge
// after all others, and so only what those have left, and as long as their time lasts.
import { setMaxListeners } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { TestRunner } from "vitest";
import { cachesName, switchName } from "./mutate.ts";
import { judgeInTurn } from "./turns.ts";

/** What the tests have found, as written to the file of `METRUM_MUTANTS_RESULT`. */
export interface Found {
  readonly seen: readonly number[];
  readonly executed: readonly number[];
  /** To be judged in a process each: executed while modules were loaded, or by a test that it spoiled. */
  readonly alone: readonly number[];
  /** Tests that fail when repeated, which therefore judge no mutant. */
  readonly unrepeatable: readonly string[];
  /** Living ones that a slow test executes whose turn did not come. */
  readonly unjudged: readonly number[];
  /** How long the tests of each file take. */
  readonly msOf: Readonly<Record<string, number>>;
}

type Run = ReturnType<typeof TestRunner.getTestFn>;
type Test = Parameters<TestRunner["onAfterTryTask"]>[0];

/** A test that has passed as it is. */
interface Passed {
  readonly name: string;
  readonly run: Run;
  readonly executed: ReadonlySet<number>;
  readonly calls: number;
  readonly ms: number;
}

interface State {
  on: number;
  noted: Set<number> | undefined;
  calls: number;
  most: number;
  readonly atLoad: Set<number>;
  readonly executed: Set<number>;
  readonly seen: Set<number>;
  readonly doubtful: Set<number>;
  readonly unrepeatable: Set<string>;
  readonly slow: Passed[];
  readonly msOf: Map<string, number>;
}

/** Far more than a test needs: a mutant has made a loop endless. */
const least = 200_000;
const timesAsMany = 20;
const mostAlone = 50_000_000;
const patienceMs = 20_000;
const slowMs = 100;
/** For all slow tests together: they judge from the quickest on. */
const slowBudgetMs = 600_000;

interface Cache {
  clear(): void;
}

/** The mutant that is on from the beginning, if there is one. */
const onlyPath = process.env["METRUM_MUTANTS_ONLY"];
const only = onlyPath === undefined ? 0 : Number(readFileSync(onlyPath, "utf8"));
const isOnly = only !== 0;

/** Modules stay loaded from file to file, and this one may be loaded for each. */
const shared = globalThis as typeof globalThis & { mutants$?: State; [cachesName]?: Set<Cache> };
const caches = (shared[cachesName] ??= new Set());
const state = (shared.mutants$ ??= begin());

function begin(): State {
  const made: State = {
    on: only,
    noted: undefined,
    calls: 0,
    most: isOnly ? mostAlone : Infinity,
    atLoad: new Set(),
    executed: new Set(),
    seen: new Set(),
    doubtful: new Set(),
    unrepeatable: new Set(),
    slow: [],
    msOf: new Map(),
  };
  const isOn = (id: number): boolean => {
    made.calls += 1;
    if (made.calls > made.most) throw new Error("endless");
    if (made.on === 0) (made.noted ?? made.atLoad).add(id);
    return made.on === id;
  };
  Object.assign(globalThis, { [switchName]: isOn });
  // Whether a property fails is enough; its smallest case is not asked for.
  fc.configureGlobal({ endOnFailure: true });
  // Each run of a test listens for its end.
  setMaxListeners(0);
  return made;
}

export default class MutantRunner extends TestRunner {
  async runTask(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (isOnly) {
      await run();
      return;
    }
    const executed = new Set<number>();
    Object.assign(state, { noted: executed, calls: 0 });
    const from = cpuMs();
    await run();
    const passed = { name: test.name, run, executed, calls: state.calls, ms: cpuMs() - from };
    state.msOf.set(test.file.filepath, (state.msOf.get(test.file.filepath) ?? 0) + passed.ms);
    // What a repeat executes is known.
    state.noted = new Set();
    for (const id of executed) state.executed.add(id);
    if (passed.ms > slowMs) state.slow.push(passed);
    else await this.judge(passed);
    state.noted = undefined;
  }

  /** Gives the mutants whose turn did not come in time. */
  private async judge({ name, run, executed, calls }: Passed, until = Infinity): Promise<number[]> {
    const living = [...executed].filter((id) => !state.seen.has(id));
    if (living.length === 0 || cpuMs() > until) return living;
    if (await fails(run)) {
      state.unrepeatable.add(name);
      return [];
    }
    const seen: number[] = [];
    let judged = 0;
    for (const id of living) {
      if (cpuMs() > until) break;
      judged += 1;
      Object.assign(state, { on: id, calls: 0, most: least + calls * timesAsMany });
      if (await fails(run)) seen.push(id);
      Object.assign(state, { on: 0, most: Infinity });
    }
    // A mutant that has left something behind could fail the next ones: they are judged in processes of their own.
    const into = seen.length > 0 && (await fails(run)) ? state.doubtful : state.seen;
    for (const id of seen) into.add(id);
    return living.slice(judged);
  }

  override async onAfterRunSuite(suite: Parameters<TestRunner["onAfterRunSuite"]>[0]): Promise<void> {
    await super.onAfterRunSuite(suite);
    const path = process.env["METRUM_MUTANTS_RESULT"];
    const isLast = "filepath" in suite && suite.filepath === process.env["METRUM_MUTANTS_LAST"];
    if (path === undefined || !isLast) return;
    state.noted = new Set();
    const until = cpuMs() + slowBudgetMs;
    const unjudged = await judgeInTurn(state.slow.splice(0), (passed) => this.judge(passed, until));
    state.noted = undefined;
    const found: Found = {
      seen: [...state.seen],
      executed: [...state.executed],
      alone: [...state.atLoad, ...state.doubtful],
      unrepeatable: [...state.unrepeatable],
      unjudged: [...unjudged].filter((id) => !state.seen.has(id) && !state.doubtful.has(id)),
      msOf: Object.fromEntries(state.msOf),
    };
    writeFileSync(path, JSON.stringify(found));
  }
}

/** Time of the processor: a shared one makes no test slow. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function fails(run: Run): Promise<boolean> {
  for (const cache of caches) cache.clear();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("endless")), patienceMs);
  });
  try {
    await Promise.race([run(), late]);
    return false;
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}
