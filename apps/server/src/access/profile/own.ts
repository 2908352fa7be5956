import type { CompanyId } from "@metrum/vocabulary";
import { record, type AuditEntry, type Ctx, type Db } from "#core";
import { sendLetter, type LetterKind } from "#access/letters";
import type { UserRow } from "#access/users";

type Entry = Pick<AuditEntry, "action" | "subject" | "before" | "after">;

/**
 * One transaction on one's own account with its audit row, both in the home company, wherever the session
 * works. Reloads the open sessions of the user afterwards.
 */
export async function changeOwn<Result>(
  ctx: Ctx,
  entry: Entry,
  run: (db: Db) => Promise<Result>,
): Promise<Result> {
  return changeAccountOf(ctx, { id: ctx.scope.userId }, { entry, companyId: ctx.session.homeCompanyId, run });
}

/** The same for an account administered by another user; the audit row is in the given company. */
export async function changeAccountOf<Result>(
  ctx: Ctx,
  account: Pick<UserRow, "id">,
  given: {
    readonly entry: Entry;
    readonly companyId: CompanyId;
    readonly run: (db: Db) => Promise<Result>;
  },
): Promise<Result> {
  const { session, address } = ctx;
  const result = await ctx.database.system.transaction().execute(async (db) => {
    const done = await given.run(db);
    const scope = { ...ctx.scope, companyId: given.companyId };
    await record({ db, scope, session, address }, given.entry);
    return done;
  });
  ctx.bus.publish("accessChanged", `user:${String(account.id)}`);
  return result;
}

/** A letter to the previous address of an account, with a link to a page: its reader may be the only one to notice. */
export async function tellOwner(
  ctx: Ctx,
  db: Db,
  {
    account,
    kind,
    page,
  }: { readonly account: UserRow; readonly kind: LetterKind<never>; readonly page: string },
): Promise<void> {
  await sendLetter(db, {
    companyId: account.company_id,
    to: account.email,
    language: account.language,
    kind,
    params: { link: `${ctx.config.publicUrl.replace(/\/$/, "")}/#/${page}` },
  });
}

export function subjectOf({ id }: Pick<UserRow, "id">): string {
  return `user ${String(id)}`;
}
