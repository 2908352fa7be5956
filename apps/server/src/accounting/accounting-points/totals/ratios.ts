import { isEqual, one, times, type Decimal } from "#core";
import type { RegisterValues } from "../tables.ts";

/** The ratio of a point from an instant on, until the next step. */
export interface RatioStep {
  readonly from: number;
  readonly ratio: Decimal;
  /** It differs from the one before; else only registers were noted. */
  readonly isChange: boolean;
  /** Registers at that instant, as noted with the change; unknown ones are absent. */
  readonly reading: RegisterValues;
}

/** A term that a ratio consists of; without an end, until now. */
export interface RatioTerm {
  readonly kind: "ratio" | "current_transformer" | "voltage_transformer" | "device";
  readonly from: number;
  readonly to: number | null;
  readonly factor: Decimal;
  readonly reading: RegisterValues;
}

const start = Number.MIN_SAFE_INTEGER;

/**
 * Ratio of a point over time: the product of its current and voltage transformers; without any, its own ratio;
 * without one, that of the device; else 1. Steps that tell nothing are left out. The first is without beginning.
 */
export function ratioSteps(terms: readonly RatioTerm[]): RatioStep[] {
  const times = [
    ...new Set([start, ...terms.flatMap(({ from, to }) => (to === null ? [from] : [from, to]))]),
  ];
  const steps: RatioStep[] = [];
  for (const from of times.sort((a, b) => a - b)) {
    const ratio = ratioOf(terms.filter((term) => term.from <= from && (term.to === null || term.to > from)));
    const last = steps.at(-1);
    const readings = terms.filter((term) => term.from === from).map((term) => term.reading);
    const reading = Object.assign({}, ...readings) as RegisterValues;
    const isChange = last !== undefined && !isEqual(last.ratio, ratio);
    if (!last || isChange || Object.keys(reading).length > 0) steps.push({ from, ratio, isChange, reading });
  }
  return steps;
}

function ratioOf(terms: readonly RatioTerm[]): Decimal {
  const of = (kind: RatioTerm["kind"]): Decimal | undefined =>
    terms.find((term) => term.kind === kind)?.factor;
  const [current, voltage] = [of("current_transformer"), of("voltage_transformer")];
  if (current || voltage) return times(current ?? one, voltage ?? one);
  return of("ratio") ?? of("device") ?? one;
}

/** The ratio at an instant. */
export function ratioAt(steps: readonly RatioStep[], ts: number): Decimal {
  let ratio = one;
  for (const step of steps) {
    if (step.from > ts) break;
    ratio = step.ratio;
  }
  return ratio;
}
