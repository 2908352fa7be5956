import { fields, isFieldName, type FieldName } from "@metrum/vocabulary";
import { isEqual, one, times, type Decimal } from "#core";
import type { RegisterValues } from "../records/index.ts";

/** The ratio of a point from an instant on, until the next step. */
export interface RatioStep {
  readonly from: number;
  readonly ratio: Decimal;
  /** Of the transformers of one kind; a ratio without transformers is that of current transformers. */
  readonly current: Decimal;
  readonly voltage: Decimal;
  /** The ratio differs from the one before; else only its parts do, or registers were noted. */
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
  const instants = [
    ...new Set([start, ...terms.flatMap(({ from, to }) => (to === null ? [from] : [from, to]))]),
  ];
  const steps: RatioStep[] = [];
  for (const from of instants.sort((a, b) => a - b)) {
    const parts = partsOf(terms.filter((term) => term.from <= from && (term.to === null || term.to > from)));
    const ratio = times(parts.current, parts.voltage);
    const last = steps.at(-1);
    const readings = terms.filter((term) => term.from === from).map((term) => term.reading);
    const reading = Object.assign({}, ...readings) as RegisterValues;
    const isChange = last !== undefined && !isEqual(last.ratio, ratio);
    const isSame = last && isEqual(last.current, parts.current) && isEqual(last.voltage, parts.voltage);
    if (!isSame || Object.keys(reading).length > 0) steps.push({ from, ratio, ...parts, isChange, reading });
  }
  return steps;
}

function partsOf(terms: readonly RatioTerm[]): Pick<RatioStep, "current" | "voltage"> {
  const of = (kind: RatioTerm["kind"]): Decimal | undefined =>
    terms.find((term) => term.kind === kind)?.factor;
  const [current, voltage] = [of("current_transformer"), of("voltage_transformer")];
  if (current || voltage) return { current: current ?? one, voltage: voltage ?? one };
  return { current: of("ratio") ?? of("device") ?? one, voltage: one };
}

/** Whether the amounts of a register are multiplied by the ratio: those behind transformers, as in every table. */
export const hasRatio = (field: string): boolean =>
  isFieldName(field) && fields[field].transformers === "both";

/** The steps that a register is multiplied by; registers that were noted with a change stay. */
export const ratiosFor = (steps: readonly RatioStep[], field: FieldName): readonly RatioStep[] =>
  hasRatio(field)
    ? steps
    : steps.map((step) => ({ ...step, ratio: one, current: one, voltage: one, isChange: false }));

/** The ratio at an instant. */
export function ratioAt(steps: readonly RatioStep[], ts: number): Decimal {
  let ratio = one;
  for (const step of steps) {
    if (step.from > ts) break;
    ratio = step.ratio;
  }
  return ratio;
}
