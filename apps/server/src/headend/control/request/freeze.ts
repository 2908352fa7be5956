import { problem } from "@metrum/contract/core";
import { audit, record, type Ctx } from "#core";
import { withdrawFrozen } from "#headend/uplinks";
import { freeze, release } from "./guardStore.ts";

interface Change {
  /** Null: the whole installation. */
  readonly companyId: number | null;
  readonly isFrozen: boolean;
  readonly reason: string;
}

/**
 * Stops outgoing actuation, or releases it, in one transaction with the withdrawal of what waits and the entries in
 * the logs of both companies. Problem: wrong_input without a reason to stop it.
 */
export async function setFreeze(ctx: Ctx, { companyId, isFrozen, reason }: Change): Promise<void> {
  if (isFrozen && reason === "") throw problem("wrong_input", { attributes: { reason: ["required"] } });
  const { database, scope, session, address, clock } = ctx;
  const now = clock.now();
  const entry = {
    action: "control.freeze",
    subject: companyId === null ? "installation" : `company ${String(companyId)}`,
    after: { is_frozen: isFrozen, reason },
  } as const;
  await database.system.transaction().execute(async (db) => {
    if (isFrozen) await freeze(db, { companyId, reason, userId: scope.userId, now });
    else await release(db, companyId, now);
    if (isFrozen) await withdrawFrozen(db, clock);
    await record({ db, scope, session, address }, entry);
    if (companyId !== null && companyId !== scope.companyId)
      await audit(db, {
        ...entry,
        companyId,
        userId: scope.userId,
        impersonatorId: session.impersonatorId,
        address,
        via: session.apiToken,
      });
  });
}
