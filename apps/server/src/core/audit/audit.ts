import { audit, auditEach, type AuditEntry } from "./auditStore.ts";
import type { Ctx } from "../http/context.ts";

/**
 * Records an action of a signed-in user in the transaction of the call; actor, company and address are the
 * session's.
 */
export async function record(
  ctx: Recording,
  entry: Pick<AuditEntry, "action" | "subject" | "before" | "after">,
): Promise<void> {
  await audit(ctx.db, { ...actorOf(ctx), ...entry });
}

/** The same for one action on many objects. */
export async function recordEach(
  ctx: Recording,
  action: AuditEntry["action"],
  objects: readonly Pick<AuditEntry, "subject" | "before" | "after">[],
): Promise<void> {
  await auditEach(ctx.db, { ...actorOf(ctx), action }, objects);
}

/** Who acts, from where, in which transaction. */
export type Recording = Pick<Ctx, "db" | "scope" | "address"> & {
  readonly session: Pick<Ctx["session"], "impersonatorId" | "apiToken">;
};

const actorOf = ({ scope, session, address }: Recording) => ({
  companyId: scope.companyId,
  userId: scope.userId,
  impersonatorId: session.impersonatorId,
  address,
  via: session.apiToken,
});
