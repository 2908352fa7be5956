import type { AuditAction } from "@metrum/contract/access";
import type { CompanyId } from "@metrum/vocabulary";
import { audit, record, type Ctx } from "#core";

export interface CompanyNote {
  readonly action: AuditAction;
  readonly id: CompanyId;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Logs a change of a company and makes open sessions of this process reload it with their next request. */
export async function noteChange(ctx: Ctx, change: CompanyNote): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("accessChanged", `company:${String(change.id)}`));
  await noteInBoth(ctx, change);
}

/**
 * A change made from a company above is logged twice: in the log of that company and in the log of the
 * changed one.
 */
export async function noteInBoth(ctx: Ctx, { action, id, before, after }: CompanyNote): Promise<void> {
  const entry = { action, subject: `company ${String(id)}`, before, after };
  await record(ctx, entry);
  if (id === ctx.scope.companyId) return;
  await audit(ctx.db, {
    ...entry,
    companyId: id,
    userId: ctx.scope.userId,
    impersonatorId: ctx.session.impersonatorId,
    address: ctx.address,
    via: ctx.session.apiToken,
  });
}
