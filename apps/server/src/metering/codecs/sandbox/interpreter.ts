import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from "quickjs-emscripten";
import { limits, type CodecFailure, type Order, type Outcome } from "./order.ts";
import { finder, prelude } from "./prelude.ts";

/**
 * Largest step between two clock reads that counts: beyond it the process was suspended, not the codec
 * computing.
 */
const longestSliceMs = 5;

/**
 * Clocks of the thread. `wallMs` is cheap; `computedMs` is its processor time, undefined where the system
 * does not provide it.
 */
export interface Clocks {
  readonly wallMs: () => number;
  readonly computedMs: () => number | undefined;
}

/** The interpreter itself (not the codec) is broken: its thread must end. `outcome` is still valid. */
export class Broken extends Error {
  readonly outcome: Outcome | undefined;
  constructor(cause: unknown, outcome?: Outcome) {
    super("the interpreter has broken", { cause });
    this.outcome = outcome;
  }
}

/**
 * Calls one function of a codec in a fresh runtime, which is discarded afterwards. Limits: `limits` (time,
 * memory, stack, length of the answer). Errors: Broken when the interpreter is no longer usable.
 */
export function interpret(quickjs: QuickJSWASMModule, order: Order, clocks: Clocks): Outcome {
  const startedMs = clocks.wallMs();
  const runtime = boundedRuntime(quickjs);
  const watch = watchTime(runtime, clocks);
  let outcome: Outcome | undefined;
  try {
    const context = runtime.newContext();
    try {
      outcome = { ...callCodec(context, order, watch), durationMs: clocks.wallMs() - startedMs };
    } finally {
      context.dispose();
    }
    runtime.dispose();
  } catch (error) {
    throw new Broken(error, outcome);
  }
  return outcome;
}

function boundedRuntime(quickjs: QuickJSWASMModule): QuickJSRuntime {
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(limits.stackBytes);
  return runtime;
}

interface Watch {
  readonly isOver: () => boolean;
}

/**
 * Limits computing time, so that a busy machine does not fail an honest codec; the pool limits wall time.
 * Wall time is measured first, because it is cheap to read; when it is used up the processor time of the
 * thread decides.
 */
function watchTime(runtime: QuickJSRuntime, { wallMs, computedMs }: Clocks): Watch {
  const computedBefore = computedMs();
  let lastMs = wallMs();
  let usedMs = 0;
  const isOver = () => usedMs > limits.computeMs;
  const correct = (): void => {
    const computed = computedMs();
    if (computed !== undefined && computedBefore !== undefined)
      usedMs = Math.min(usedMs, computed - computedBefore);
  };
  runtime.setInterruptHandler(() => {
    const nowMs = wallMs();
    usedMs += Math.min(longestSliceMs, nowMs - lastMs);
    lastMs = nowMs;
    if (isOver()) correct();
    return isOver();
  });
  return { isOver };
}

type Result =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "failed"; readonly failure: CodecFailure; readonly message: string };

function callCodec(context: QuickJSContext, order: Order, watch: Watch): Result {
  const { source, ...input } = order;
  const held: QuickJSHandle[] = [];
  const hold = (handle: QuickJSHandle): QuickJSHandle => {
    held.push(handle);
    return handle;
  };
  try {
    const host = hold(context.unwrapResult(context.evalCode(prelude, "prelude.js")));
    const begin = hold(context.getProp(host, "begin"));
    const run = hold(context.getProp(host, "run"));
    context
      .unwrapResult(context.callFunction(begin, context.undefined, context.newNumber(order.recvTimeMs)))
      .dispose();
    context.unwrapResult(context.evalCode(source, "codec.js")).dispose();
    const find = hold(context.unwrapResult(context.evalCode(finder, "finder.js")));
    const args = [
      find,
      hold(context.newString(JSON.stringify(input))),
      context.newNumber(limits.answerLength),
    ];
    const answer = hold(context.unwrapResult(context.callFunction(run, context.undefined, ...args)));
    if (context.typeof(answer) !== "string") return failed("error", "the codec answers nothing");
    return { kind: "answer", text: context.getString(answer) };
  } catch (error) {
    return describe(error, watch);
  } finally {
    for (const handle of held) handle.dispose();
  }
}

const failed = (failure: CodecFailure, message: string): Result => ({ kind: "failed", failure, message });

/** Error of the interpreter, worded for the author of the codec; its text is bounded. */
function describe(error: unknown, watch: Watch): Result {
  if (watch.isOver()) return failed("time", `the codec ran longer than ${limits.computeMs} ms`);
  if (error instanceof WebAssembly.RuntimeError) throw error;
  const message = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(
    0,
    limits.messageLength,
  );
  return /out of memory/i.test(message)
    ? failed("memory", `the codec needs more than ${limits.memoryBytes / 1024 / 1024} MiB`)
    : failed("error", message);
}
