import type { Obedience } from "@metrum/protocols/core";
import { noise, sequence } from "./random.ts";

/** Faults of a line; shares from 0 to 1. May be changed while the park runs: the next answer follows. */
export interface Faults {
  /** Answers that never come. */
  loss: number;
  /** Milliseconds an answer takes, from and to. */
  delayMs: readonly [number, number];
  /** Answers that come in two pieces. */
  split: number;
  /** The line echoes sent bytes before the answer, as two-wire adapters do. */
  echo: boolean;
  /** Answers with one byte changed. */
  wrongCrc: number;
  /** Devices are unreachable at times, the same times at which their history has gaps. */
  outages: boolean;
  /** Answers that take `lateMs` longer. */
  late: number;
  lateMs: number;
  /** Share of each minute for which a device neither receives nor answers. */
  asleep: number;
  /** Orders that a device refuses. */
  refuse: number;
  /** Orders that it acknowledges and does not carry out. */
  lie: number;
}

export const noFaults: Faults = {
  loss: 0,
  delayMs: [15, 60],
  split: 0,
  echo: false,
  wrongCrc: 0,
  outages: false,
  late: 0,
  lateMs: 20_000,
  asleep: 0,
  refuse: 0,
  lie: 0,
};

/** A part of an answer and its time of transmission. */
export interface Piece {
  readonly afterMs: number;
  readonly bytes: Uint8Array;
}

const splitGapMs = 40;

/** Fate of a request and its answers; the request is empty for unsolicited telegrams. */
export type Exchange = (request: Uint8Array, answers: readonly Uint8Array[]) => Piece[];

/**
 * Decides, with a seeded random generator, the fate of each exchange on a line. `damage`: how an answer is
 * corrupted.
 */
export function createFaults(faults: Faults, seed: number, damage = spoil): Exchange {
  const chance = sequence(seed);
  return (request, answers) => {
    const pieces: Piece[] = faults.echo && request.length > 0 ? [{ afterMs: 1, bytes: request }] : [];
    for (const answer of answers) {
      if (chance() < faults.loss) continue;
      const [min, max] = faults.delayMs;
      const onTimeMs = min + chance() * (max - min);
      const afterMs = chance() < faults.late ? onTimeMs + faults.lateMs : onTimeMs;
      const bytes = chance() < faults.wrongCrc ? damage(answer) : answer;
      if (chance() >= faults.split || bytes.length < 2) {
        pieces.push({ afterMs, bytes });
        continue;
      }
      const at = 1 + Math.floor(chance() * (bytes.length - 1));
      pieces.push({ afterMs, bytes: bytes.subarray(0, at) });
      pieces.push({ afterMs: afterMs + splitGapMs, bytes: bytes.subarray(at) });
    }
    return pieces;
  };
}

/** Decides, with a seeded random generator, what a device does with each order. */
export function createObedience(faults: Faults, seed: number): () => Obedience {
  const chance = sequence(seed);
  return () => {
    const drawn = chance();
    if (drawn < faults.refuse) return "refuse";
    return drawn < faults.refuse + faults.lie ? "lie" : "obey";
  };
}

const sleepCycleSec = 60;

/** Whether a device is asleep: a part of each minute, at its own time. */
export const isAsleep = ({ asleep }: Faults, seed: number, at: number): boolean =>
  (at / sleepCycleSec + noise(seed, 6)) % 1 < asleep;

function spoil(bytes: Uint8Array): Uint8Array {
  const spoiled = Uint8Array.from(bytes);
  const last = spoiled.length - 1;
  spoiled[last] = (spoiled[last] ?? 0) ^ 0x55;
  return spoiled;
}
