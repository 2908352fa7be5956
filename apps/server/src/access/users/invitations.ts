import { problem } from "@metrum/contract/core";
import { ownCompany } from "#access/companies";
import type { Ctx } from "#core";
import { dropLinks, isInvitedEnough, issueLink, sendLetter } from "#access/letters";
import { oneTimePassword } from "./firstAdmin.ts";
import { firstPassword, invitation } from "./letters.ts";
import type { MemberRow } from "./memberStore.ts";
import { hashPassword } from "./passwords.ts";
import { changeMember, ownAccount } from "./store.ts";

/** Validity of the link of an invitation: security rule 2.8. */
const validSec = 48 * 3600;

/**
 * Sends the letter in the language of the account. Links of earlier letters become invalid, so one invitation is open.
 * The caller has locked the row, so letters to one account are counted one by one. Problem: too_many_requests.
 */
export async function sendInvitation(ctx: Ctx, row: MemberRow): Promise<void> {
  const kind = ctx.config.randomPasswords ? firstPassword : invitation;
  const { companyId } = ctx.scope;
  if (await isInvitedEnough(ctx.database.system, { to: row.email, companyId, kind }))
    throw problem("too_many_requests");
  await dropLinks(ctx.db, row.id);
  if (ctx.config.randomPasswords) await sendPassword(ctx, row);
  else await sendLink(ctx, row);
}

async function sendLink(ctx: Ctx, row: MemberRow): Promise<void> {
  const { companyId } = ctx.scope;
  const nowSec = ctx.clock.now();
  const [company, inviter] = [await ownCompany(ctx), await ownAccount(ctx.database.system, ctx.scope)];
  const token = await issueLink(ctx.db, { userId: row.id, purpose: "invitation", validSec, nowSec });
  const link = addressOf(ctx, `auth/forget/reset/${token}`);
  await sendLetter(ctx.db, {
    companyId,
    to: row.email,
    language: row.language,
    uselessAfter: nowSec + validSec,
    kind: invitation,
    params: { link, company: company.name, inviter: inviter?.name ?? "" },
  });
}

/** If the server generates passwords: one that must be changed at the first sign-in. */
async function sendPassword(ctx: Ctx, row: MemberRow): Promise<void> {
  const password = oneTimePassword();
  await changeMember(ctx.db, ctx.scope, row.id, {
    password_hash: await hashPassword(password),
    password_change_needed: true,
  });
  await sendLetter(ctx.db, {
    companyId: ctx.scope.companyId,
    to: row.email,
    language: row.language,
    kind: firstPassword,
    params: { link: addressOf(ctx, "auth/login"), password },
  });
}

function addressOf({ config }: Pick<Ctx, "config">, hashPath: string): string {
  return `${config.publicUrl.replace(/\/$/, "")}/#/${hashPath}`;
}
