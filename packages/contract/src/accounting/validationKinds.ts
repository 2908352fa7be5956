/** Rules by which stored values are checked. A kind is one file in `kinds` of the server's domain. */
export const validationKinds = [
  "spike",
  "gap",
  "high",
  "low",
  "negative",
  "frozen",
  "reverse_flow",
  "sum_of_tariffs",
  "duplicate",
  "unit",
  "ratio",
  "sibling",
  "clock",
  "prolonged_estimation",
  "interval_sum",
  "contract_power",
  "voltage",
  "no_consumer",
  "foreign_serial",
] as const;
export type ValidationKind = (typeof validationKinds)[number];

/** Units of the parameters of rules; `amount` is in the unit of the register. */
export const validationUnits = [
  "times",
  "days",
  "hours",
  "seconds",
  "percent",
  "amount",
  "count",
  "volts",
  "amperes",
] as const;
export type ValidationUnit = (typeof validationUnits)[number];

/** Ways to estimate a value, best first; `given` is a number that a person has entered. */
export const estimationMethods = ["interpolation", "same_day_type", "last_year", "profile", "given"] as const;
export type EstimationMethod = (typeof estimationMethods)[number];

/** How an exception ended; `gone`: later data have removed its cause. */
export const validationOutcomes = ["accepted", "rejected", "estimated", "gone"] as const;
export type ValidationOutcome = (typeof validationOutcomes)[number];

/**
 * Limits: rows of own rules of a company, open exceptions of a rule and company (further findings are counted,
 * not kept), exceptions of one decision, comments of one exception.
 */
export const validationBounds = {
  rules: 1_000,
  openOfRule: 2_000,
  decided: 500,
  steps: 100,
} as const;
