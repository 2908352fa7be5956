import { mostTokens, type ApiToken } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { endOtherBrowsers, endOwnSession, sessionsOf, startApiToken, type OwnSessionRow } from "#access/auth";
import type { Ctx, Db } from "#core";
import { changeOwn, subjectOf } from "./own.ts";
import { accountOf, requirePassword } from "./proof.ts";

const daySec = 86_400;

/** Valid API tokens of the user. */
export async function tokensOf(ctx: Ctx): Promise<ApiToken[]> {
  return (await listed(ctx, ctx.database.system, "api")).map(shown);
}

/** Creates a token. Throws `password_wrong`, `too_many_tokens`. */
export async function createToken(
  ctx: Ctx,
  given: { readonly name: string; readonly days: number; readonly current_password: string },
): Promise<{ token: ApiToken; access_token: string }> {
  const account = await accountOf(ctx);
  await requirePassword(ctx, account, { password: given.current_password, action: "token.create" });
  const { name, days } = given;
  const at = new Date(ctx.clock.nowMs());
  const expiresAt = new Date(at.getTime() + days * daySec * 1000);
  const entry = {
    action: "token.create",
    subject: subjectOf(account),
    after: { name, expires_at: Math.floor(expiresAt.getTime() / 1000) },
  } as const;
  return changeOwn(ctx, entry, async (db) => {
    const { id, token } = await startApiToken(db, {
      userId: account.id,
      companyId: account.company_id,
      name,
      at,
      expiresAt,
    });
    const all = await listed(ctx, db, "api");
    if (all.length > mostTokens) throw problem("too_many_tokens", { params: { max: mostTokens } });
    const made = all.find((each) => each.id === id);
    if (!made) throw new Error("the created token was not found");
    return { token: shown(made), access_token: token };
  });
}

/** Valid browser sessions. */
export async function browsersOf(ctx: Ctx): Promise<readonly OwnSessionRow[]> {
  return listed(ctx, ctx.database.system, "web");
}

/** Throws `not_found` for one of another user too. */
export async function endOne(ctx: Ctx, id: number): Promise<void> {
  const account = await accountOf(ctx);
  await changeOwn(ctx, { action: "profile.sessionEnd", subject: subjectOf(account) }, async (db) => {
    if (!(await endOwnSession(db, account.id, id))) throw problem("not_found");
  });
}

export async function endOthers(ctx: Ctx): Promise<void> {
  const account = await accountOf(ctx);
  await changeOwn(ctx, { action: "profile.sessionEnd", subject: subjectOf(account) }, (db) =>
    endOtherBrowsers(db, { userId: account.id, sessionId: ctx.session.id }),
  );
}

async function listed(ctx: Ctx, system: Db, kind: "web" | "api"): Promise<readonly OwnSessionRow[]> {
  const mine = { userId: ctx.scope.userId, sessionId: ctx.session.id };
  return sessionsOf(system, mine, { kind, nowSec: ctx.clock.now() });
}

function shown({ id, name, created_at, expires_at, last_seen }: OwnSessionRow): ApiToken {
  return {
    id,
    name: name ?? "",
    created_at,
    expires_at,
    last_seen: last_seen < created_at ? null : last_seen,
  };
}
