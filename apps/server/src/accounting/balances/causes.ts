import type { BalanceRole, CauseKind } from "@metrum/contract/accounting";
import {
  fewestDays,
  fitLosses,
  fitRatio,
  fitShift,
  fitStep,
  grossOf,
  minus,
  scoreOf,
  snapTo,
  squaresLeft,
  squaresOf,
  sumOf,
  type Days,
  type Fitted,
  type Ratio,
} from "./fit.ts";

/** A point of the group on the computed days; values with its coefficient. */
export interface PointDays {
  readonly point_id: number;
  readonly device_id: number | null;
  readonly name: string;
  readonly role: BalanceRole;
  readonly values: Days;
  readonly estimated: Days;
  readonly isReplaced: readonly boolean[];
  readonly ratio: Ratio;
}

/** Something in the branch that the formula lacks; `values` null: its consumption is not known. */
export interface OutsideDays {
  readonly kind: "point" | "device";
  readonly id: number;
  readonly name: string;
  /** Null for a day of which something is not known. */
  readonly values: readonly (number | null)[] | null;
}

export interface Evidence {
  /** Days since the first one of the request, of the computed days only. */
  readonly days: readonly number[];
  readonly imbalance: Days;
  readonly into: Days;
  readonly points: readonly PointDays[];
  readonly outside: readonly OutsideDays[];
  /** Seconds by which the clock of a device is ahead. */
  readonly clocks: ReadonlyMap<number, number>;
  /** Share of the input that the class of the meters allows. */
  readonly error: number;
}

export interface Cause {
  readonly kind: CauseKind;
  readonly point: PointDays | null;
  readonly outside: OutsideDays | null;
  readonly explained: Days;
  readonly factor: number;
  /** Index of the computed day with which it begins. */
  readonly since: number;
  /** No other beginning explains the imbalance nearly as well. */
  readonly isSure: boolean;
}

type Option = Pick<Cause, "kind" | "point" | "outside"> & {
  readonly fit: (residual: Days) => Fitted | null;
};

const mostCauses = 5;
/** Improvement of the score that is no accident, and the part of the squares that must go. */
const leastGain = 6;
const leastPart = 0.3;
/** Smallest share of the input worth a word. */
const leastShare = 0.004;
/** Precision below which one explanation is not better than another, of the input of a day. */
const precision = 0.0005;
const daySec = 86_400;
/** A clock that is off by less moves nothing that a day could show. */
const leastClockSec = 600;

/** Explanations that are tried as the first one, and those that are tried after it. */
const firstTried = 4;
const laterTried = 60;

/**
 * Ranked causes of an imbalance: an explanation is taken, then that of what it leaves, and all are fitted together; of
 * several beginnings the one that leaves least wins. An imbalance within the error of the meters has no cause.
 */
export function causesOf(evidence: Evidence): Cause[] {
  const { imbalance, into, error } = evidence;
  const all = grossOf(into);
  if (imbalance.length === 0 || grossOf(imbalance) <= error * all) return [];
  const bounds: Bounds = {
    floor: (precision * all) / into.length,
    error: error * all,
    least: leastShare * all,
  };
  const ranked = rankedOptions(optionsOf(evidence), imbalance, bounds.floor);
  const pool = ranked.slice(0, laterTried);
  const [best, second] = firstOf(ranked)
    .map(({ option }) => explainedFrom(option, { pool, imbalance, bounds }))
    .toSorted((a, b) => a.score - b.score);
  const isSure = best !== undefined && (!second || second.score - best.score > leastGain);
  const causes = (best?.causes ?? []).map((cause) => ({ ...cause, isSure }));
  return [...causes, ...estimatesOf(evidence, restOf(imbalance, causes))].toSorted(
    (a, b) => grossOf(b.explained) - grossOf(a.explained),
  );
}

/**
 * Explanations that are tried as the first one: the best of different points, and the best of what the formula lacks,
 * which explains less at first because its coefficient is not free.
 */
function firstOf(ranked: readonly Ranked[]): Ranked[] {
  const good = ranked.filter(({ isGood }) => isGood);
  const seen = new Set<PointDays | OutsideDays | null>();
  const distinct = good.filter(({ option }) => {
    const subject = option.point ?? option.outside;
    const isNew = !seen.has(subject);
    seen.add(subject);
    return isNew;
  });
  const lacking = good.filter(({ option }) => option.outside).slice(0, firstTried);
  return [...new Set([...distinct.slice(0, firstTried), ...lacking])];
}

interface Bounds {
  readonly floor: number;
  /** What the meters may err by, and the smallest amount that is named, over all days. */
  readonly error: number;
  readonly least: number;
}

interface Ranked {
  readonly option: Option;
  readonly fitted: Fitted | null;
  readonly score: number;
  /** Explains more than an accident would. */
  readonly isGood: boolean;
}

const restOf = (imbalance: Days, causes: readonly Pick<Cause, "explained">[]): Days =>
  causes.reduce<Days>((left, { explained }) => minus(left, explained), imbalance);

/** Options by what they leave of a residual, the best first. */
function rankedOptions(options: readonly Option[], residual: Days, floor: number): Ranked[] {
  const [count, squares] = [residual.length, squaresOf(residual)];
  const before = scoreOf({ squares, count }, 0, floor);
  return options
    .map((option): Ranked => {
      const fitted = option.fit(residual);
      if (!fitted) return { option, fitted, score: Number.POSITIVE_INFINITY, isGood: false };
      const left = squaresLeft(residual, fitted.explained);
      const score = scoreOf({ squares: left, count }, fitted.free, floor);
      const isGood = score < before - leastGain && left <= (1 - leastPart) * squares;
      return { option, fitted, score, isGood };
    })
    .toSorted((a, b) => a.score - b.score);
}

/** Adds explanations to a first one until what is left is within the error of the meters. */
function explainedFrom(
  first: Option,
  {
    pool,
    imbalance,
    bounds,
  }: { readonly pool: readonly Ranked[]; readonly imbalance: Days; readonly bounds: Bounds },
): { readonly causes: readonly Cause[]; readonly score: number } {
  let chosen = [first];
  let fits = fittedTogether(chosen, imbalance);
  while (chosen.length < mostCauses) {
    const residual = restOf(
      imbalance,
      fits.map(({ fitted }) => fitted),
    );
    if (grossOf(residual) <= bounds.error) break;
    const others = pool.map(({ option }) => option).filter((option) => !chosen.includes(option));
    const [next] = rankedOptions(others, residual, bounds.floor);
    if (!next?.isGood || !next.fitted || grossOf(next.fitted.explained) < bounds.least) break;
    chosen = [...chosen, next.option];
    fits = fittedTogether(chosen, imbalance);
  }
  const named = fits.filter(({ fitted }) => grossOf(fitted.explained) >= bounds.least);
  const causes = named.map(({ option, fitted }) => causeOf(option, fitted));
  const free = named.reduce((sum, { fitted }) => sum + fitted.free + 1, 0);
  const left = { squares: squaresOf(restOf(imbalance, causes)), count: imbalance.length };
  return { causes, score: scoreOf(left, free, bounds.floor) };
}

/** Each cause is fitted again to what the others leave. */
function fittedTogether(chosen: readonly Option[], imbalance: Days): { option: Option; fitted: Fitted }[] {
  let fits = chosen.map((option) => ({ option, fitted: null as Fitted | null }));
  for (let round = 0; round < (chosen.length > 1 ? 5 : 1); round += 1)
    for (const [nth, { option, fitted }] of fits.entries()) {
      const others = fits.filter((_, at) => at !== nth);
      const left = restOf(
        imbalance,
        others.flatMap((other) => other.fitted ?? []),
      );
      fits = fits.map((each, at) => (at === nth ? { option, fitted: option.fit(left) ?? fitted } : each));
    }
  return fits.flatMap(({ option, fitted }) => (fitted ? [{ option, fitted }] : []));
}

/** What an error of a point is: at the replacement of its meter, of a possible ratio, or a step of another kind. */
function causeOf({ kind, point, outside }: Option, { factor, since, explained }: Fitted): Cause {
  const named = { point, outside, explained, factor, since, isSure: true };
  if (kind !== "ratio" || !point) return { kind, ...named };
  const isReplaced = since > 0 && [since - 1, since, since + 1].some((at) => point.isReplaced[at]);
  if (isReplaced) return { kind: "replacement", ...named };
  const isPossible = snapTo(point.ratio)(factor) !== null;
  return { kind: since > 0 && !isPossible ? "fell" : "ratio", ...named };
}

function optionsOf({ days, into, points, outside, clocks }: Evidence): Option[] {
  const isEnough = days.length >= fewestDays;
  const isNext = (at: number) => days[at] === (days[at - 1] ?? Number.NaN) + 1;
  const ofPoints = points.flatMap((point): Option[] => {
    const sign = point.role === "in" ? -1 : 1;
    const shape = point.values.map((value) => value * sign);
    const snap = snapTo(point.ratio);
    const named = { point, outside: null };
    const ahead = point.device_id === null ? 0 : (clocks.get(point.device_id) ?? 0);
    return [
      ...(isEnough
        ? [
            { ...named, kind: "ratio" as const, fit: (left: Days) => fitRatio(left, shape, snap) },
            { ...named, kind: "ratio" as const, fit: (left: Days) => fitStep(left, shape, snap) },
            { ...named, kind: "shift" as const, fit: (left: Days) => fitShift(left, shape, isNext) },
          ]
        : []),
      ...(Math.abs(ahead) < leastClockSec
        ? []
        : [{ ...named, kind: "shift" as const, fit: () => shiftOf(shape, ahead, isNext) }]),
    ];
  });
  return [
    ...ofPoints,
    ...unknownOf(outside, into),
    ...outside.flatMap((each): Option[] => {
      const { values } = each;
      if (!values || sumOf(values.filter((value) => value !== null)) === 0) return [];
      const kind = each.kind === "point" ? ("missing_point" as const) : ("missing_device" as const);
      // A day that is not known is no day without consumption: it can explain whatever is left, each for a coefficient.
      const free = values.filter((value) => value === null).length;
      const fit = (left: Days): Fitted => ({
        explained: values.map((value, at) => value ?? left[at] ?? 0),
        ...{ free, factor: 1, since: 0 },
      });
      return [{ kind, point: null, outside: each, fit }];
    }),
    ...(isEnough
      ? [{ kind: "losses" as const, point: null, outside: null, fit: (left: Days) => fitLosses(left, into) }]
      : []),
  ];
}

/**
 * Something in the branch whose consumption is not known can explain any share of the input; it comes before losses
 * that look the same.
 */
function unknownOf(outside: readonly OutsideDays[], into: Days): Option[] {
  const unknown = outside.filter(({ values }) => values === null);
  const [first] = unknown;
  if (!first) return [];
  const name = unknown.length === 1 ? first.name : `${first.name} +${String(unknown.length - 1)}`;
  return [
    {
      kind: first.kind === "point" ? "missing_point" : "missing_device",
      point: null,
      outside: { ...first, name },
      fit: (left) => fitLosses(left, into, 1),
    },
  ];
}

/** What a clock that is known to be ahead moves between days. */
function shiftOf(shape: Days, aheadSec: number, isNext: (at: number) => boolean): Fitted {
  const part = Math.min(1, Math.abs(aheadSec) / daySec);
  const step = aheadSec > 0 ? 1 : -1;
  const explained = shape.map((value, at) => {
    const isPair = step === 1 ? isNext(at) : isNext(at + 1);
    const other = shape[at - step];
    return isPair && other !== undefined ? (value - other) * part : 0;
  });
  return { explained, free: 0, factor: part * step, since: 0 };
}

/** What remains on days that rest on estimated values, at most as much as is estimated. */
function estimatesOf({ points, into, error }: Evidence, rest: Days): Cause[] {
  let left = rest;
  const found: Cause[] = [];
  const byShare = points.toSorted((a, b) => grossOf(b.estimated) - grossOf(a.estimated));
  for (const point of byShare) {
    if (grossOf(point.estimated) === 0) break;
    const explained = left.map((value, at) => {
      const most = Math.abs(point.estimated[at] ?? 0);
      const isBeyond = Math.abs(value) > error * Math.abs(into[at] ?? 0);
      return isBeyond ? Math.sign(value) * Math.min(Math.abs(value), most) : 0;
    });
    if (grossOf(explained) < leastShare * grossOf(into)) continue;
    found.push({ kind: "estimated", point, outside: null, explained, factor: 0, since: 0, isSure: false });
    left = minus(left, explained);
  }
  return found;
}
