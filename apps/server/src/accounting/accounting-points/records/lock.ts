import { problem } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import { resolve, type Ctx } from "#core";
import { lockRows } from "./store.ts";

/** Object of a point in the log. */
export const subjectOf = (id: number): string => `point ${String(id)}`;

/** A point that this transaction alone changes. Problem: not_found. */
export async function lockPoint(ctx: Ctx, given: number): Promise<AccountingPointId> {
  const [id] = await lockPoints(ctx, [given]);
  if (id === undefined) throw problem("not_found");
  return id;
}

/** The same for many, in their order. */
export async function lockPoints(ctx: Ctx, given: readonly number[]): Promise<AccountingPointId[]> {
  const ids = await resolve(ctx, "accountingPoint", given);
  if ((await lockRows(ctx.db, ctx.scope, ids)) < new Set(ids).size) throw problem("not_found");
  return ids;
}
