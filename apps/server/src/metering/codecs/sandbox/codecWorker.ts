import { parentPort } from "node:worker_threads";
import { readlinkSync } from "node:fs";
import { getQuickJS } from "quickjs-emscripten";
import { Broken, interpret } from "./interpreter.ts";
import type { Order } from "./order.ts";
import { computedMsOf } from "./processorTime.ts";

/** Directory of this thread in /proc; undefined where the system has none. */
function ownPlace(): string | undefined {
  try {
    return `/proc/${readlinkSync("/proc/thread-self")}`;
  } catch {
    return undefined;
  }
}

const place = ownPlace();
const clocks = { wallMs: () => performance.now(), computedMs: () => computedMsOf(place) };

/**
 * Worker thread of the codecs: answers each order with its outcome, one by one. The pool ends it when it
 * overruns.
 */
const quickjs = await getQuickJS();
// The engine compiles during its first run, which must not delay a real payload.
const warmUp =
  "function decodeUplink({ bytes }) { return { data: { sum: bytes[0] + Buffer.from([1])[0] } }; }";
for (let times = 0; times < 3; times++)
  interpret(
    quickjs,
    { call: "decodeUplink", bytes: [1], fPort: 1, recvTimeMs: 0, source: warmUp },
    { wallMs: () => 0, computedMs: () => undefined },
  );

parentPort?.on("message", (order: Order) => {
  try {
    parentPort?.postMessage(interpret(quickjs, order, clocks));
  } catch (error) {
    if (!(error instanceof Broken) || error.outcome === undefined) throw error;
    parentPort?.postMessage({ ...error.outcome, isLast: true });
  }
});
parentPort?.postMessage({ place });
