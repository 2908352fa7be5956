/** A stored number that does not follow from what it is computed of. */
export interface Difference {
  readonly kind: string;
  /** "device 7, type 1" */
  readonly id: string;
  /** A day or a time. */
  readonly at: string;
  readonly stored: string;
  readonly recounted: string;
  /** What is to be computed, epoch seconds, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** It is marked and not computed yet: no fault so far. */
  readonly waits: boolean;
}

/** What was recounted of one device, point or period. */
export interface Examined {
  /** Raw rows, days or totals that were read. */
  readonly rows: number;
  readonly differences: readonly Difference[];
}

/** Numbers that are recounted from raw rows, one device, point or period at a time. */
export interface Recount {
  /** "devices" */
  readonly of: string;
  readonly kinds: readonly string[];
  /** Absent company: all of them. */
  readonly count: (companyId?: number) => Promise<number>;
  /** The next ids in order, some hundred. */
  readonly idsAfter: (after: number, companyId?: number) => Promise<readonly number[]>;
  /** In short transactions that read only and lock nothing. `since`: only from this time on, where that is possible. */
  readonly examine: (id: number, since?: number) => Promise<Examined>;
  /** Has the differing numbers computed by the ordinary workers; returns those that none of them computes. */
  readonly markDue: (id: number, wrong: readonly Difference[]) => Promise<readonly Difference[]>;
}

type Part = number | string | null | undefined;

/** Named parts of a stored row; null is as good as absent. */
export type Parts = ReadonlyMap<string, Part>;

const mostShown = 3;

/** The parts in which two rows differ, as text; undefined: they are the same. An absent row is "nothing". */
export function differing(
  stored: Parts | undefined,
  recounted: Parts | undefined,
  isSame: (a: Part, b: Part, name: string) => boolean = (a, b) => a === b,
): Pick<Difference, "stored" | "recounted"> | undefined {
  if (!stored && !recounted) return undefined;
  const names = [...new Set([...(stored?.keys() ?? []), ...(recounted?.keys() ?? [])])];
  const other = names.filter(
    (name) => !isSame(stored?.get(name) ?? null, recounted?.get(name) ?? null, name),
  );
  if (stored && recounted && other.length === 0) return undefined;
  return { stored: textOf(stored, other), recounted: textOf(recounted, other) };
}

function textOf(parts: Parts | undefined, names: readonly string[]): string {
  if (!parts) return "nothing";
  const shown = names.slice(0, mostShown).map((name) => `${name} ${String(parts.get(name) ?? "none")}`);
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${String(more)} more` : "");
}

/** Epoch seconds, both inclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The span of several, of which there is at least one. */
export const hullOf = (spans: readonly TimeSpan[]): TimeSpan => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to)),
});

/** Whether numbers of a span may still change because others wait within a reach of it. */
export const isWaiting = (waiting: readonly TimeSpan[], { from, to }: TimeSpan, reach: number): boolean =>
  waiting.some((each) => each.from - reach <= to && each.to + reach >= from);

export const timeText = (ts: number): string => `${new Date(ts * 1000).toISOString().slice(0, 19)}Z`;
