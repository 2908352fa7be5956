import type { FieldName } from "@metrum/vocabulary";
import { counterSamples, type CounterAt, type Reader } from "../read/index.ts";
import type { Point } from "./counter.ts";
import { sampleSec, samplesOf } from "./load.ts";

/** The values that the load of each follows from, see `samplesOf`. */
export type ReadLoads = (asked: readonly CounterAt[]) => Promise<readonly (readonly Point[])[]>;

/** For the range of a counter: its values up to an instant. */
export type SamplesOf = (deviceId: number, field: FieldName) => (until: number) => readonly Point[];

/**
 * The result of a computation with counters. A decrease that may be a rollover asks for the usual load before it, which
 * is read then, and the computation is made anew; such decreases are so rare that nearly always nothing is read.
 * `compute` changes nothing that it has not made itself.
 */
export async function knowingLoads<Result>(
  read: ReadLoads,
  compute: (samplesOf: SamplesOf) => Result | Promise<Result>,
): Promise<Result> {
  const known = new Map<string, readonly Point[]>();
  for (;;) {
    const asked = new Map<string, CounterAt>();
    const result = await compute((deviceId, field) => (until) => {
      const key = `${String(deviceId)} ${field} ${String(until)}`;
      const samples = known.get(key);
      if (!samples) asked.set(key, { deviceId, field, until });
      return samples ?? [];
    });
    if (asked.size === 0) return result;
    const found = await read([...asked.values()]);
    [...asked.keys()].forEach((key, at) => known.set(key, found[at] ?? []));
  }
}

/** Each span ends where the next one begins; the last one holds the instant. */
const spans = sampleSec.map((since, n) => ({ since, until: sampleSec[n + 1] ?? -1 }));

/**
 * Reads the values that usual loads follow from, 52 a counter at most. For a call the ids come from rows that the session
 * may see.
 */
export const readLoads =
  (reader: Reader): ReadLoads =>
  async (asked) => {
    const found = await counterSamples(reader, asked, spans);
    return asked.map(({ until }, at) => samplesOf(found[at] ?? [], until));
  };
