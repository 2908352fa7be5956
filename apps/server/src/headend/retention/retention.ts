import type { ParsedOf, ReplyOf } from "@metrum/contract/core";
import { chosenKinds, type retention } from "@metrum/contract/headend";
import type { RetentionKind } from "@metrum/contract/headend";
import { record, type Ctx, type Db } from "#core";
import { defaultMonths, isFixed, kinds, monthsOf } from "./policy.ts";
import { ownPolicies, putMonths } from "./store.ts";

type Answer = ReplyOf<typeof retention.get>;

/** Retention policy of one's own company. */
export async function ownRetention({ db, scope }: Ctx): Promise<Answer> {
  const own = await ownPolicies(db, scope.companyId);
  return {
    retention: kinds.map((kind) => ({
      kind,
      months: monthsOf(kind, own.get(kind)?.months ?? null),
      default_months: defaultMonths[kind],
      is_fixed: isFixed(kind),
      expired_before: shownEnd(own.get(kind)?.expiredTo),
    })),
  };
}

const shownEnd = (expiredTo: number | undefined): number | null =>
  expiredTo === undefined || expiredTo === 0 ? null : expiredTo;

/** Stores changes, and records them in the log of the company. */
export async function changeRetention(
  ctx: Ctx,
  wanted: ParsedOf<typeof retention.set>["body"],
): Promise<Answer> {
  const before = new Map((await ownRetention(ctx)).retention.map(({ kind, months }) => [kind, months]));
  const changed = chosenKinds.flatMap((kind) => {
    const months = wanted[kind];
    return months === undefined || months === before.get(kind) ? [] : [{ kind, months }];
  });
  for (const { kind, months } of changed) await putMonths(ctx.db, ctx.scope.companyId, kind, months);
  if (changed.length > 0)
    await record(ctx, {
      action: "retention.set",
      subject: `company ${String(ctx.scope.companyId)}`,
      before: Object.fromEntries(changed.map(({ kind }) => [kind, before.get(kind) ?? null])),
      after: Object.fromEntries(changed.map(({ kind, months }) => [kind, months])),
    });
  return ownRetention(ctx);
}

/** Rows of a kind before this second are deleted by the policy of the company; null: none. Primary key. */
export async function expiredBefore(db: Db, companyId: number, kind: RetentionKind): Promise<number | null> {
  return shownEnd((await ownPolicies(db, companyId)).get(kind)?.expiredTo);
}
