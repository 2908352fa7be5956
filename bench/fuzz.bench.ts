import * as protocols from "@metrum/protocols";
import { ProtocolError, toHex, type FuzzTarget } from "@metrum/protocols";
import { reported, type Bench, type Figure } from "./report.ts";

/** `npm run bench -- fuzz 10000` shortens it; the seed makes a run repeatable. */
const count = Number(process.argv[3] ?? 1_000_000);
const seed = 20_261_121;

export const bench: Bench = {
  title: `${count.toLocaleString("en")} mutated frames for each decoder: nothing but ProtocolError may be thrown`,
  run() {
    const targets = Object.entries(protocols)
      .filter(([name]) => name.endsWith("Fuzz"))
      .flatMap(([, target]) => target as FuzzTarget | readonly FuzzTarget[]);
    return Promise.resolve(targets.flatMap(fuzz));
  },
};

function fuzz(target: FuzzTarget): Figure[] {
  const random = generator(seed);
  let wrong = 0;
  let slowestMs = 0;
  let example = "";
  for (let n = 0; n < count; n++) {
    const bytes = mutate(target.seeds, random);
    const { tookMs, error } = timed(target, bytes);
    if (error !== undefined && !(error instanceof ProtocolError)) {
      wrong += 1;
      if (wrong <= 3) console.error(`${target.name}: ${messageOf(error)} on ${toHex(bytes)}`);
    }
    if (tookMs <= slowestMs) continue;
    // Asked again, for the machine may have been busy elsewhere.
    const surely = Math.min(tookMs, timed(target, bytes).tookMs, timed(target, bytes).tookMs);
    if (surely > slowestMs) [slowestMs, example] = [surely, toHex(bytes)];
  }
  if (slowestMs > 100) console.error(`${target.name}: ${String(slowestMs)} ms on ${example}`);
  return [
    {
      what: `${target.name}: errors other than ProtocolError`,
      value: wrong,
      unit: "",
      target: "= 0",
      isMet: wrong === 0,
    },
    reported("  slowest input", slowestMs, "ms"),
  ];
}

function timed(target: FuzzTarget, bytes: Uint8Array): { tookMs: number; error: unknown } {
  const began = performance.now();
  try {
    target.decode(bytes);
    return { tookMs: performance.now() - began, error: undefined };
  } catch (error) {
    return { tookMs: performance.now() - began, error };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : "no error";

/** Mulberry32: small, quick, and the same everywhere. */
function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One to six changes: bits, bytes, cuts, insertions, repetitions, and pieces of another seed. */
function mutate(seeds: readonly Uint8Array[], random: () => number): Uint8Array {
  const below = (limit: number): number => Math.floor(random() * limit);
  const bytes = [...(seeds[below(seeds.length)] ?? [])];
  for (let change = below(6); change >= 0; change--) {
    const at = below(bytes.length + 1);
    switch (below(7)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        break;
      case 1:
        bytes[at] = below(256);
        break;
      case 2:
        bytes[at] = [0, 0xff, 0x7f, 0x80][below(4)] ?? 0;
        break;
      case 3:
        bytes.splice(at, 1 + below(4));
        break;
      case 4:
        bytes.splice(at, 0, ...Array.from({ length: 1 + below(4) }, () => below(256)));
        break;
      case 5:
        bytes.splice(at, 0, ...bytes.slice(at, at + below(16)));
        break;
      default: {
        const other = seeds[below(seeds.length)] ?? new Uint8Array();
        bytes.splice(at, below(8), ...other.slice(below(other.length), below(other.length + 1)));
      }
    }
  }
  return Uint8Array.from(bytes);
}
