import { fieldFault, problem, type Problem } from "@metrum/contract/core";
import type { CompanyId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { closedSpans, holdPeriods, type ClosedSpan, type PointSpan } from "./closedStore.ts";

/** Whether a span of a point touches a closed settlement period. */
export async function isClosed(db: Db, companyId: CompanyId, span: PointSpan): Promise<boolean> {
  return (await closedSpans(db, companyId, span)).length > 0;
}

/** The refusal of a change of a closed period; `field`: the one of the request that reaches into it. */
export function closedProblem({ from_day: from, to_day: to }: ClosedSpan, field?: string): Problem {
  const params = { from, to };
  return problem("period_closed", {
    params,
    ...(field === undefined ? {} : { attributes: { [field]: [fieldFault("period_closed", params)] } }),
  });
}

/**
 * Refuses a change of what a closed settlement period rests on. A closing under way is waited for; what is open
 * then stays so until the end of the transaction. Problem: period_closed.
 */
export async function refuseClosed(
  db: Db,
  companyId: CompanyId,
  span: PointSpan,
  field?: string,
): Promise<void> {
  await holdPeriods(db, { companyId });
  const [first] = await closedSpans(db, companyId, span);
  if (first) throw closedProblem(first, field);
}
