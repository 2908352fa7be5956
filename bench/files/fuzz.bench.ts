import { mutate, ProtocolError, randomFrom, toHex, type FuzzTarget } from "@metrum/protocols/core";
import { serverFuzz } from "../../apps/server/src/testing/walk/fuzzTargets.ts";
import { catalogueFuzz } from "../../packages/catalogue/src/fuzz.ts";
import { fuzzTargets } from "../../packages/protocols/fuzzTargets.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

/** `npm run bench -- fuzz 10000` shortens it; the seed makes a run repeatable. */
const count = Number(process.argv[3] ?? 1_000_000);
/**
 * `npm run bench -- fuzz 1000000 mbus,modbus` runs the decoders with these name prefixes; "2/4" the second
 * quarter of all.
 */
const chosen = process.argv[4] ?? "";
const seed = 20_261_121;
/** Of a frame of a device, as the security rules say. */
const frameMs = 50;

export const bench: Bench = {
  title: `${count.toLocaleString("en")} mutated frames for each decoder: nothing but ProtocolError may be thrown`,
  async run() {
    // Stack traces cost more than most decoders, and refusals need none.
    Error.stackTraceLimit = 0;
    const targets = [...(await fuzzTargets()), ...catalogueFuzz, ...serverFuzz].filter(isChosen);
    return [reported("decoders", targets.length, ""), ...targets.flatMap(fuzz)];
  },
};

function isChosen({ name }: FuzzTarget, at: number): boolean {
  const part = /^(\d+)\/(\d+)$/.exec(chosen);
  if (part) return at % Number(part[2]) === Number(part[1]) - 1;
  return chosen.split(",").some((begin) => name.startsWith(begin));
}

function fuzz(target: FuzzTarget): Figure[] {
  const random = randomFrom(seed);
  const mostMs = target.mostMs ?? frameMs;
  let wrong = 0;
  let slowestMs = 0;
  let example: Uint8Array = new Uint8Array();
  const startedMs = performance.now();
  for (let n = 0; n < count * (target.share ?? 1); n++) {
    const bytes = mutate(target.seeds, random);
    const { tookMs, error } = timed(target, bytes);
    if (error !== undefined && !(error instanceof ProtocolError)) {
      wrong += 1;
      if (wrong <= 3) console.error(`${target.name}: ${traced(target, bytes)} on ${shown(bytes)}`);
    }
    if (tookMs <= slowestMs) continue;
    // Measured again by processor time: the machine may have been busy, or the compiler with this code.
    const surely = Math.min(tookMs, ...Array.from({ length: 4 }, () => processorMs(target, bytes)));
    if (surely > slowestMs) [slowestMs, example] = [surely, bytes];
  }
  if (slowestMs > mostMs) console.error(`${target.name}: ${String(slowestMs)} ms on ${shown(example)}`);
  const tookSec = (performance.now() - startedMs) / 1000;
  console.log(
    `  ${target.name}: ${String(wrong)} wrong, slowest ${slowestMs.toFixed(2)} ms for ${String(example.length)} bytes, ${tookSec.toFixed(0)} s`,
  );
  return [
    atMost(`${target.name}: errors other than ProtocolError`, wrong, "", 0),
    target.isDialogue
      ? reported(`  slowest dialogue, with an answer of ${String(example.length)} bytes`, slowestMs, "ms")
      : atMost(`  slowest input, of ${String(example.length)} bytes`, slowestMs, "ms", mostMs),
  ];
}

function processorMs(target: FuzzTarget, bytes: Uint8Array): number {
  const before = process.cpuUsage();
  timed(target, bytes);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const mostShown = 200;
const shown = (bytes: Uint8Array): string =>
  toHex(bytes.subarray(0, mostShown)) + (bytes.length > mostShown ? "…" : "");

function timed(target: FuzzTarget, bytes: Uint8Array): { tookMs: number; error: unknown } {
  const began = performance.now();
  try {
    target.decode(bytes);
    return { tookMs: performance.now() - began, error: undefined };
  } catch (error) {
    return { tookMs: performance.now() - began, error };
  }
}

/** Repeats the error, with its stack trace. */
function traced(target: FuzzTarget, bytes: Uint8Array): string {
  Error.stackTraceLimit = 10;
  const { error } = timed(target, bytes);
  Error.stackTraceLimit = 0;
  return error instanceof Error ? (error.stack ?? error.message) : "no error";
}
