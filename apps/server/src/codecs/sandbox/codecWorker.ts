import { parentPort } from "node:worker_threads";
import { getQuickJS } from "quickjs-emscripten";
import { Broken, interpret } from "./interpreter.ts";
import type { Order } from "./order.ts";

/** Thread of the codecs: answers each order with its outcome, one after the other. Whoever started it ends it when it overruns. */
const quickjs = await getQuickJS();
// The engine compiles while it runs for the first time: nobody's payload should wait for that.
const warmUp =
  "function decodeUplink({ bytes }) { return { data: { sum: bytes[0] + Buffer.from([1])[0] } }; }";
for (let times = 0; times < 3; times++)
  interpret(quickjs, { call: "decodeUplink", bytes: [1], fPort: 1, recvTimeMs: 0, source: warmUp }, () => 0);

parentPort?.on("message", (order: Order) => {
  try {
    parentPort?.postMessage(interpret(quickjs, order, () => performance.now()));
  } catch (error) {
    if (!(error instanceof Broken) || error.outcome === undefined) throw error;
    parentPort?.postMessage({ ...error.outcome, isLast: true });
  }
});
parentPort?.postMessage("ready");
