import { balanceLimits, type BalanceRole, type balances } from "@metrum/contract/accounting";
import { problem, type ParsedOf } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import type { Member } from "./store.ts";

type Given = Pick<
  Partial<ParsedOf<typeof balances.create>["body"]>,
  "points" | "input_point_ids" | "output_point_ids" | "loss_point_ids"
>;

const roleOf = { input_point_ids: "in", output_point_ids: "out", loss_point_ids: "loss" } as const;
const listNames = ["input_point_ids", "output_point_ids", "loss_point_ids"] as const;
const coefficientDecimals = 6;

/**
 * The formula after a change: `points` replace all, a list of ids replaces its role; a point that keeps its role keeps
 * its coefficient and its days. Problem: wrong_input with the field.
 */
export function mergedFormula(before: readonly Member[], given: Given): Member[] {
  const keyOf = ({ role, point_id }: Pick<Member, "role" | "point_id">) => `${role} ${String(point_id)}`;
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const found = new Map<string, Member>();
  for (const [row, each] of (given.points ?? []).entries()) {
    const member = detailed(each, row);
    if (found.has(keyOf(member))) throw wrongRow(row, "point_id", "twice");
    found.set(keyOf(member), member);
  }
  for (const name of listNames) {
    const role = roleOf[name];
    const ids =
      given[name] ?? (given.points ? [] : before.flatMap((m) => (m.role === role ? [m.point_id] : [])));
    for (const id of ids) {
      const plain = plainMember(id, role);
      if (!found.has(keyOf(plain))) found.set(keyOf(plain), known.get(keyOf(plain)) ?? plain);
    }
  }
  return [...found.values()];
}

/** The id is resolved before it is stored. */
const plainMember = (id: number, role: BalanceRole): Member => ({
  point_id: id as AccountingPointId,
  role,
  coefficient: "1",
  from_day: null,
  to_day: null,
});

/** Names the row of `points`, from zero, and its field. */
const wrongRow = (row: number, field: string, fault: string) =>
  problem("wrong_input", { attributes: { [`points.${String(row)}.${field}`]: [fault] } });

function detailed(each: NonNullable<Given["points"]>[number], row: number): Member {
  const { from_day = null, to_day = null, coefficient = 1 } = each;
  if (from_day !== null && to_day !== null && to_day < from_day) throw wrongRow(row, "to_day", "range");
  const text = coefficient.toFixed(coefficientDecimals);
  if (Number(text) === 0) throw wrongRow(row, "coefficient", "range");
  return { ...plainMember(each.point_id, each.role), coefficient: text, from_day, to_day };
}

/** Problem: wrong_input for a formula without an input or output, or with too many points. */
export function refuseIncomplete(members: readonly Member[]): void {
  const has = (role: BalanceRole) => members.some((each) => each.role === role);
  if (members.length > balanceLimits.points)
    throw problem("wrong_input", { attributes: { points: ["size"] } });
  if (!has("in")) throw problem("wrong_input", { attributes: { input_point_ids: ["required"] } });
  if (!has("out")) throw problem("wrong_input", { attributes: { output_point_ids: ["required"] } });
}
