/** What held in an interval (epoch seconds; `to` exclusive, null: without end), with the readings at both ends. */
export interface Held {
  readonly from: number;
  readonly to: number | null;
  readonly value: string;
  readonly opening: string;
  readonly closing: string;
}

export interface Span {
  readonly from: number;
  readonly to: number | null;
}

/**
 * The time in which two accounts of the same thing differ, however each is cut into intervals. Intervals of one
 * account do not overlap. A reading at an end concerns the second on its side.
 */
export function changedSpans(before: readonly Held[], after: readonly Held[]): Span[] {
  const times = [...before, ...after].flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  const cuts = [...new Set(times)].sort((a, b) => a - b);
  const values = cuts.flatMap((from, at): Span[] =>
    valueAt(before, from) === valueAt(after, from) ? [] : [{ from, to: cuts[at + 1] ?? null }],
  );
  const ends = cuts.flatMap((at): Span[] => [
    ...(openingAt(before, at) === openingAt(after, at) ? [] : [{ from: at, to: at + 1 }]),
    ...(closingAt(before, at) === closingAt(after, at) ? [] : [{ from: at - 1, to: at }]),
  ]);
  return [...values, ...ends];
}

const valueAt = (all: readonly Held[], at: number): string | undefined =>
  all.find(({ from, to }) => from <= at && (to ?? Infinity) > at)?.value;

/** Noted readings; those that are not known are as good as none. */
const none = "{}";
const openingAt = (all: readonly Held[], at: number): string =>
  all.find(({ from }) => from === at)?.opening ?? none;
const closingAt = (all: readonly Held[], at: number): string =>
  all.find(({ to }) => to === at)?.closing ?? none;
