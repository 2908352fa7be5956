/** One measured figure; `target` is its limit, and `isMet` whether it was reached. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: string;
  readonly isMet?: boolean;
}

/** A benchmark: a file `<name>.bench.ts` that exports one as `bench`. */
export interface Bench {
  readonly title: string;
  readonly run: () => Promise<readonly Figure[]>;
}

export const round = (value: number): number => Number(value.toPrecision(4));

/** The value below which this share of the samples is. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

export function atLeast(what: string, value: number, unit: string, target: number): Figure {
  return { what, value: round(value), unit, target: `>= ${String(target)}`, isMet: value >= target };
}

export function atMost(what: string, value: number, unit: string, target: number): Figure {
  return { what, value: round(value), unit, target: `<= ${String(round(target))}`, isMet: value <= target };
}

export function reported(what: string, value: number, unit: string): Figure {
  return { what, value: round(value), unit };
}
