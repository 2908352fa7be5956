import { audit, type AuditEntry } from "./auditStore.ts";
import type { Ctx } from "./http/context.ts";

/** What a signed-in user did, in the transaction of the call: who, on whose behalf and from where are those of the session. */
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
