import { record, type AuditEntry, type Ctx, type Db } from "#core";
import { sendLetter, type Sending } from "#letters";
import type { UserRow } from "#users";

type Entry = Pick<AuditEntry, "action" | "subject" | "before" | "after">;

/**
 * One transaction on the own account with its row of the audit, both in the home company, wherever the session works. The
 * open sessions of the user are looked at again after it.
 */
export async function changeOwn<Result>(
  ctx: Ctx,
  entry: Entry,
  run: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { scope, session } = ctx;
  const result = await ctx.database.system.transaction().execute(async (db) => {
    const done = await run(db);
    const home = { ...scope, companyId: session.homeCompanyId };
    await record({ db, scope: home, session, address: ctx.address }, entry);
    return done;
  });
  ctx.bus.publish("accessChanged", `user:${String(scope.userId)}`);
  return result;
}

type Notice = "own_address_changed" | "password_changed" | "two_factor_on" | "two_factor_off";

/** A letter to the address that an account had before the change: whoever reads there may be the only one to notice. */
export async function tellOwner(
  ctx: Ctx,
  db: Db,
  { account, kind }: { readonly account: UserRow; readonly kind: Notice },
): Promise<void> {
  const page = kind === "password_changed" ? "auth/forget" : "auth/login";
  const letter: Sending = {
    companyId: account.company_id,
    to: account.email,
    language: account.language,
    kind,
    params: { link: `${ctx.config.publicUrl.replace(/\/$/, "")}/#/${page}` },
  };
  await sendLetter(db, letter);
}

export function subjectOf({ id }: Pick<UserRow, "id">): string {
  return `user ${String(id)}`;
}
