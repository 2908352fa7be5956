import { problem } from "@metrum/contract";
import type { CompanyId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { closedSpans, type PointSpan } from "./closedStore.ts";

/** Whether a span of a point touches a closed settlement period. */
export async function isClosed(db: Db, companyId: CompanyId, span: PointSpan): Promise<boolean> {
  return (await closedSpans(db, companyId, span)).length > 0;
}

/** Refuses a change of what a closed settlement period rests on. Problem: period_closed. */
export async function refuseClosed(db: Db, companyId: CompanyId, span: PointSpan): Promise<void> {
  const [first] = await closedSpans(db, companyId, span);
  if (first) throw problem("period_closed", { params: { from: first.from_day, to: first.to_day } });
}
