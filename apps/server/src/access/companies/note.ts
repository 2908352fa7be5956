import type { AuditAction } from "@metrum/contract";
import type { CompanyId } from "@metrum/vocabulary";
import { audit, record, type Ctx } from "#core";

export interface CompanyNote {
  readonly action: AuditAction;
  readonly id: CompanyId;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Notes a change of a company, and lets open sessions of this process see it with their next request. */
export async function noteChange(ctx: Ctx, change: CompanyNote): Promise<void> {
  ctx.afterCommit(() => ctx.bus.publish("accessChanged", `company:${String(change.id)}`));
  await noteInBoth(ctx, change);
}

/** What is done from above stands in both logs: in that of who does it and in that of the company it is done to. */
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
