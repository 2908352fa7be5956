import { problem } from "@metrum/contract";
import type { AccountingPointId } from "@metrum/vocabulary";
import { resolveOne, type Ctx } from "#core";
import { lockRow } from "./store.ts";

/** Object of a point in the log. */
export const subjectOf = (id: number): string => `point ${String(id)}`;

/** A point that this transaction alone changes. Problem: not_found. */
export async function lockPoint(ctx: Ctx, given: number): Promise<AccountingPointId> {
  const id = await resolveOne(ctx, "accountingPoint", given);
  if (!(await lockRow(ctx.db, ctx.scope, id))) throw problem("not_found");
  return id;
}
