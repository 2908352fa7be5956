// Runs each test once as it is, then once for each living mutant that it executes, in the same process. Slow tests judge
// after all others, and so only what those have left, and as long as their time lasts. What is executed while modules are
// loaded is judged last: all modules are loaded anew for each of these mutants.
import { setMaxListeners } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { TestRunner, vi } from "vitest";
import { startTests } from "vitest/internal/browser";
import type { VitestRunner } from "vitest/suite";
import { cachesName, switchName } from "./mutate.ts";
import { judgeInTurn, quickFiles } from "./turns.ts";

/** What the runner is given in the file of `METRUM_MUTANTS_TASK`. */
export interface Task {
  /** The file of tests after which all have run, and the file of the results. */
  readonly last: string;
  readonly result: string;
  /** Mutants up to a number, by file, with the tests near it. */
  readonly files: readonly { readonly upTo: number; readonly tests: readonly string[] }[];
}

/** What the tests have found. */
export interface Found {
  readonly seen: readonly number[];
  readonly executed: readonly number[];
  /** Tests that fail when repeated, which therefore judge no mutant. */
  readonly unrepeatable: readonly string[];
  /** Living ones that a slow test executes whose turn did not come. */
  readonly unjudged: readonly number[];
}

type Run = ReturnType<typeof TestRunner.getTestFn>;
type Test = Parameters<TestRunner["onAfterTryTask"]>[0];
type Suite = Parameters<TestRunner["onAfterRunSuite"]>[0];

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
  /** Places of the other tests. */
  readonly quick: Set<string>;
  readonly msOf: Map<string, number>;
  /** Whether the quick tests of a file pass with its modules loaded anew. */
  readonly rightAnew: Map<string, boolean>;
  isFinished: boolean;
}

/** Far more than a test needs: a mutant has made a loop endless. */
const least = 200_000;
const timesAsMany = 20;
const mostAnew = 50_000_000;
const patienceMs = 20_000;
const slowMs = 100;
/** For all slow tests together: they judge from the quickest on. */
const slowBudgetMs = 180_000;
/** Files whose quick tests take longer judge no mutant for which all modules are loaded anew. */
const quickFileMs = 10_000;

interface Cache {
  clear(): void;
}

const task = JSON.parse(readFileSync(process.env["METRUM_MUTANTS_TASK"] ?? "", "utf8")) as Task;

/** Modules stay loaded from file to file, and this one may be loaded for each. */
const shared = globalThis as typeof globalThis & { mutants$?: State; [cachesName]?: Set<Cache> };
const caches = (shared[cachesName] ??= new Set());
const state = (shared.mutants$ ??= begin());

function begin(): State {
  const made: State = {
    on: 0,
    noted: undefined,
    calls: 0,
    most: Infinity,
    atLoad: new Set(),
    executed: new Set(),
    seen: new Set(),
    doubtful: new Set(),
    unrepeatable: new Set(),
    slow: [],
    quick: new Set(),
    msOf: new Map(),
    rightAnew: new Map(),
    isFinished: false,
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
    const executed = new Set<number>();
    Object.assign(state, { noted: executed, calls: 0 });
    const from = cpuMs();
    await run();
    const passed = { name: test.name, run, executed, calls: state.calls, ms: cpuMs() - from };
    // What a repeat executes is known.
    state.noted = new Set();
    for (const id of executed) state.executed.add(id);
    if (passed.ms > slowMs) {
      state.slow.push(passed);
    } else {
      state.quick.add(placeOf(test));
      state.msOf.set(test.file.filepath, (state.msOf.get(test.file.filepath) ?? 0) + passed.ms);
      await this.judge(passed);
    }
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
    // A mutant that has left something behind could fail the next ones: they are judged with modules of their own.
    const into = seen.length > 0 && (await fails(run)) ? state.doubtful : state.seen;
    for (const id of seen) into.add(id);
    return living.slice(judged);
  }

  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    // Of a file of which all is skipped no end is told.
    if (isLast(suite) && suite.mode === "skip") await this.finish();
  }

  override async onAfterRunSuite(suite: Suite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (isLast(suite)) await this.finish();
  }

  private async finish(): Promise<void> {
    // Runs within this one end as well.
    if (state.isFinished) return;
    state.isFinished = true;
    state.noted = new Set();
    const until = cpuMs() + slowBudgetMs;
    const unjudged = await judgeInTurn(state.slow.splice(0), (passed) => this.judge(passed, until));
    for (const id of new Set([...state.atLoad, ...state.doubtful])) await this.judgeAnew(id);
    state.noted = undefined;
    const found: Found = {
      seen: [...state.seen],
      executed: [...state.executed, ...state.atLoad],
      unrepeatable: [...state.unrepeatable],
      unjudged: [...unjudged].filter((id) => !state.seen.has(id)),
    };
    writeFileSync(task.result, JSON.stringify(found));
  }

  /** Judges a mutant by the quick tests near it, of which all modules are loaded anew. */
  private async judgeAnew(id: number): Promise<void> {
    if (state.seen.has(id)) return;
    const near = task.files.find(({ upTo }) => id <= upTo)?.tests ?? [];
    for (const file of quickFiles(near, Object.fromEntries(state.msOf), quickFileMs)) {
      state.rightAnew.set(file, state.rightAnew.get(file) ?? (await this.passesAnew(file, 0)));
      if (state.rightAnew.get(file) !== true || (await this.passesAnew(file, id))) continue;
      state.seen.add(id);
      return;
    }
  }

  private async passesAnew(file: string, id: number): Promise<boolean> {
    vi.resetModules();
    caches.clear();
    Object.assign(state, { on: id, calls: 0, most: mostAnew });
    const run = { isFailed: false };
    const runTask = async (test: Test): Promise<void> => {
      if (!run.isFailed && state.quick.has(placeOf(test)))
        run.isFailed = await fails(TestRunner.getTestFn(test));
    };
    try {
      const files = await startTests([file], this.unreported(runTask));
      return !run.isFailed && files.every(({ result }) => result?.state === "pass");
    } finally {
      Object.assign(state, { on: 0, most: Infinity });
    }
  }

  /** The same runner for a run within this one, of which nobody is told. */
  private unreported(runTask: (test: Test) => Promise<void>): TestRunner {
    const nothing = (): void => undefined;
    const config = { ...this.config, name: "anew" };
    const isOwn = (id: string): boolean => own.has(id.split("_")[0] ?? "");
    const own = new Set<string>();
    const told = (this as VitestRunner).onTaskUpdate?.bind(this);
    return Object.assign(Object.create(this) as TestRunner, {
      ...{ config, runTask, onCollected: nothing, onCleanupWorkerContext: nothing },
      ...{ onAfterRunSuite: nothing, onAfterRunFiles: nothing },
      onCollectStart: ({ id }: { readonly id: string }) => void own.add(id),
      // What has happened outside of it is waiting in the same list.
      onTaskUpdate: async (...[packs, events]: Parameters<NonNullable<VitestRunner["onTaskUpdate"]>>) =>
        told?.(
          packs.filter(([id]) => !isOwn(id)),
          events.filter(([id]) => !isOwn(id)),
        ),
    });
  }
}

const isLast = (suite: Suite): boolean => "filepath" in suite && suite.filepath === task.last;

/** A file of tests and the place of one in it, in whichever run. */
const placeOf = ({ id, file }: Test): string => file.filepath + id.slice(id.indexOf("_"));

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
