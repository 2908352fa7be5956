/** Values by day in the unit of the resource. Causes are estimates: floats. */
export type Days = readonly number[];

/** A cause fitted to an imbalance: what it explains of each day. */
export interface Fitted {
  readonly explained: Days;
  /** Coefficients that were free. */
  readonly free: number;
  /** The relative error of the point that explains it: 0.5, the true consumption is 1.5 times the shown one. */
  readonly factor: number;
  /** Index of the day with which it begins; 0: it was always so. */
  readonly since: number;
}

export const sumOf = (values: Days): number => values.reduce((sum, value) => sum + value, 0);
export const grossOf = (values: Days): number => values.reduce((sum, value) => sum + Math.abs(value), 0);
export const squaresOf = (values: Days): number => values.reduce((sum, value) => sum + value * value, 0);
export const minus = (values: Days, other: Days): number[] =>
  values.map((value, at) => value - (other[at] ?? 0));
/** Squares of what one series leaves of another: without a series in between, for it is asked of every point. */
export function squaresLeft(values: Days, other: Days): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += ((values[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return sum;
}
const times = (values: Days, factor: number): number[] => values.map((value) => value * factor);

/** Factor by which `shape` explains `residual` best, by least squares; null of a shape of nothing. */
export function factorOf(residual: Days, shape: Days, since = 0): number | null {
  let [product, square] = [0, 0];
  for (let at = since; at < residual.length; at += 1) {
    product += (residual[at] ?? 0) * (shape[at] ?? 0);
    square += (shape[at] ?? 0) ** 2;
  }
  return square === 0 ? null : product / square;
}

/** Days needed to fit one free coefficient, and on each side of a step. */
export const fewestDays = 5;
const fewestAside = 3;
/** A ratio differs by more than meters and their losses do. */
const leastError = 0.06;

/**
 * A constant error of one point: the imbalance is proportional to its consumption. `snap` names the nearest factor
 * that a wrong ratio can have; a factor near it is not free.
 */
export function fitRatio(
  residual: Days,
  shape: Days,
  snap: (factor: number) => number | null,
): Fitted | null {
  const factor = factorOf(residual, shape);
  return factor === null ? null : ofFactor(shape, { factor, since: 0, free: 1 }, snap);
}

/** The same from some day on: the day that leaves least unexplained. */
export function fitStep(residual: Days, shape: Days, snap: (factor: number) => number | null): Fitted | null {
  let best: { readonly gain: number; readonly since: number; readonly factor: number } | null = null;
  let [product, square] = [0, 0];
  for (let at = residual.length - 1; at >= fewestAside; at -= 1) {
    product += (residual[at] ?? 0) * (shape[at] ?? 0);
    square += (shape[at] ?? 0) ** 2;
    if (square === 0 || residual.length - at < fewestAside) continue;
    const gain = (product * product) / square;
    if (!best || gain > best.gain) best = { gain, since: at, factor: product / square };
  }
  return best && ofFactor(shape, { ...best, free: 2 }, snap);
}

function ofFactor(
  shape: Days,
  { factor, since, free }: { readonly factor: number; readonly since: number; readonly free: number },
  snap: (factor: number) => number | null,
): Fitted | null {
  if (Math.abs(factor) < leastError || factor <= -0.95) return null;
  const near = snap(factor);
  const taken = near ?? factor;
  const explained = shape.map((value, at) => (at < since ? 0 : value * taken));
  // A ratio that no transformer has is less likely than one that is made.
  return { explained, factor: taken, since, free: near === null ? free + 1 : free - 1 };
}

/** Losses that the rule does not name: a share of the input, or the same every day. */
export function fitLosses(residual: Days, into: Days, most = 0.15): Fitted | null {
  const share = factorOf(residual, into) ?? 0;
  const constant = sumOf(residual) / residual.length;
  const options = [
    { explained: times(into, share), factor: share },
    {
      explained: residual.map(() => constant),
      factor: sumOf(into) === 0 ? 1 : (constant * residual.length) / sumOf(into),
    },
  ].filter(({ factor }) => factor > 0 && factor <= most);
  const [best] = options.toSorted(
    (a, b) => squaresLeft(residual, a.explained) - squaresLeft(residual, b.explained),
  );
  return best ? { ...best, free: 1, since: 0 } : null;
}

/**
 * A clock that is ahead or behind: a share of each day is counted on the next one or the one before. The true
 * consumption is what the balance leaves for the point; `factor` is the shift in days, positive when the clock is
 * ahead. Half of any noise looks like a shift, therefore it must explain four fifths.
 */
export function fitShift(residual: Days, shape: Days, isNext: (at: number) => boolean): Fitted | null {
  const options = [1, -1].map((direction) => {
    const truth = shape.map((value, at) => value + (residual[at] ?? 0));
    const moved = truth.map((value, at) => {
      const other = at - direction;
      const isPair = direction === 1 ? isNext(at) : isNext(at + 1);
      return isPair && other >= 0 && other < truth.length ? value - (truth[other] ?? 0) : 0;
    });
    const part = factorOf(residual, moved) ?? 0;
    return { explained: times(moved, part), factor: part * direction, part };
  });
  const [best] = options
    .filter(({ part }) => part > 0.02 && part < 1.2)
    .toSorted((a, b) => squaresLeft(residual, a.explained) - squaresLeft(residual, b.explained));
  if (!best || squaresLeft(residual, best.explained) > squaresOf(residual) / 5) return null;
  return { explained: best.explained, factor: best.factor, free: 1, since: 0 };
}

/**
 * How well something explains, by the squares that it leaves of a number of days: lower is better (Bayesian information
 * criterion with a floor of precision).
 */
export function scoreOf(
  { squares, count }: { readonly squares: number; readonly count: number },
  free: number,
  floor: number,
): number {
  return count * Math.log(squares / count + floor * floor) + free * Math.log(count);
}

/** Primary currents of transformers that are made (IEC 61869-2, and those of older series); secondary 5 A or 1 A. */
const primaries = [
  5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 750, 800, 1000,
  1200, 1500, 2000, 2500, 3000, 4000, 5000,
];
/** Slips of a weight of pulses or of a decimal point. */
const slips = [0.001, 0.01, 0.1, 0.5, 2, 10, 100, 1000];
const tolerance = 0.02;

/** A ratio of current transformers. */
export interface Ratio {
  readonly primary: number;
  readonly secondary: number;
}

/** The made transformer that a factor leads to from the present one. */
export function transformerFor(factor: number, { primary, secondary }: Ratio): Ratio | null {
  const wanted = primary * (1 + factor);
  const found = primaries.find((each) => Math.abs(each / wanted - 1) <= tolerance);
  return found === undefined || found === primary ? null : { primary: found, secondary };
}

/** The error that a wrong ratio near `factor` has; null: none is near. */
export function snapTo(present: Ratio): (factor: number) => number | null {
  return (factor) => {
    const made = transformerFor(factor, present);
    if (made) return made.primary / present.primary - 1;
    const slip = slips.find((each) => Math.abs(each / (1 + factor) - 1) <= tolerance);
    return slip === undefined ? null : slip - 1;
  };
}
