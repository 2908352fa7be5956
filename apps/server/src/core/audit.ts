import { audit, type AuditEntry } from "./auditStore.ts";
import type { Ctx } from "./http/context.ts";

/**
 * Records an action of a signed-in user in the transaction of the call; actor, company and address are the
 * session's.
 */
export async function record(
  ctx: Pick<Ctx, "db" | "scope" | "session" | "address">,
  entry: Pick<AuditEntry, "action" | "subject" | "before" | "after">,
): Promise<void> {
  const { scope, session, address } = ctx;
  await audit(ctx.db, {
    ...entry,
    companyId: scope.companyId,
    userId: scope.userId,
    impersonatorId: session.impersonatorId,
    address,
    via: session.apiToken,
  });
}
