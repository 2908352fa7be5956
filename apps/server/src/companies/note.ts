import type { AuditAction } from "@metrum/contract";
import type { CompanyId } from "@metrum/vocabulary";
import { audit, record, type Ctx } from "#core";

/**
 * Notes a change of a company, and lets open sessions of this process see it with their next request. What was done from
 * above stands in both logs: in that of who did it and in that of the company it was done to.
 */
export async function noteChange(
  ctx: Ctx,
  change: {
    readonly action: AuditAction;
    readonly id: CompanyId;
    readonly before?: unknown;
    readonly after?: unknown;
  },
): Promise<void> {
  const { action, id, before, after } = change;
  ctx.afterCommit(() => ctx.bus.publish("accessChanged", `company:${String(id)}`));
  const entry = { action, subject: `company ${String(id)}`, before, after };
  await record(ctx, entry);
  if (id === ctx.scope.companyId) return;
  await audit(ctx.db, {
    ...entry,
    companyId: id,
    userId: ctx.scope.userId,
    impersonatorId: ctx.session.impersonatorId,
    address: ctx.address,
  });
}
