import type { BalanceGroup, BalanceRole, LossRule, balances } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";

/** A point of the formula. */
export interface FormulaPoint {
  readonly point_id: number;
  readonly name: string;
  /** Of all points of a group. */
  readonly resource_type_id: number;
  readonly role: BalanceRole;
  readonly coefficient: number | null;
  readonly from_day: string | null;
  readonly to_day: string | null;
}

export interface GroupValues {
  readonly name: string;
  readonly comment: string;
  readonly allowed_imbalance: number | null;
  readonly loss_rule: LossRule;
  readonly loss_value: number | null;
  readonly points: readonly FormulaPoint[];
}

/** Fields of the form by the path of the server, where they differ. */
export const fieldNames = {
  input_point_ids: "points",
  output_point_ids: "points",
  loss_point_ids: "points",
  resource_type_id: "points",
} as const;

const usualAllowed = 5;

export function valuesOf(group: BalanceGroup | null): GroupValues {
  if (group === null)
    return {
      ...{ name: "", comment: "", loss_rule: "none", loss_value: null, points: [] },
      allowed_imbalance: usualAllowed,
    };
  const { name, comment, allowed_imbalance, loss_rule, loss_value, resource_type_id } = group;
  const points = group.points.map((point) => ({ ...point, resource_type_id }));
  return { name, comment, allowed_imbalance, loss_rule, loss_value, points };
}

/** Whether the last day of a point stands before its first one. */
export const isReversed = ({ from_day, to_day }: Pick<FormulaPoint, "from_day" | "to_day">): boolean =>
  from_day !== null && to_day !== null && to_day < from_day;

/** A point with the coefficient 0 takes no part: it is to be taken out. */
export const countsNothing = ({ coefficient }: Pick<FormulaPoint, "coefficient">): boolean =>
  coefficient === 0;

/** A formula needs an input and an output, and each point once in a role. */
export function formulaFault({ points }: GroupValues) {
  const has = (role: BalanceRole) => points.some((each) => each.role === role);
  const keys = new Set(points.map(({ point_id, role }) => `${role} ${String(point_id)}`));
  if (!has("in") || !has("out")) return { points: "formula" };
  if (keys.size < points.length) return { points: "twice" };
  if (points.some(isReversed)) return { points: "days" };
  return { points: points.some(countsNothing) ? "zero" : undefined };
}

/** Keys of the texts of faults that the form finds itself. */
export const faultTexts: Readonly<Record<string, string>> = {
  formula: "form.formulaFault",
  twice: "form.twiceFault",
  days: "form.daysFault",
  zero: "form.zeroFault",
};

type Body = NonNullable<InputOf<typeof balances.create>["body"]>;

export function bodyOf({ points, loss_value, allowed_imbalance, ...values }: GroupValues): Body {
  return {
    ...values,
    ...(allowed_imbalance === null ? {} : { allowed_imbalance }),
    loss_value: hasValue(values.loss_rule) ? loss_value : null,
    points: points.map(({ name: _, resource_type_id: __, coefficient, ...point }) => ({
      ...point,
      coefficient: coefficient ?? 1,
    })),
  };
}

const hasValue = (rule: LossRule): boolean => rule === "percent" || rule === "fixed";
