import { problem } from "@metrum/contract/core";
import type { CompanyId, Language } from "@metrum/vocabulary";
import { record, type Ctx, type Db } from "#core";
import { compose, type Composed } from "./compose.ts";
import type { LetterKind, LetterParams } from "./kinds.ts";
import * as store from "./store.ts";

/** Letters of a company in 24 hours: security rule 5.6. */
export const lettersPerDay = 500;
/** Letters of one kind per address and hour, for kinds that can be requested without signing in. */
export const lettersPerHour = 5;

export interface Sending<Name extends string = string> {
  readonly kind: LetterKind<Name>;
  readonly params: LetterParams<Name>;
  readonly companyId: CompanyId;
  readonly to: string;
  readonly language: Language;
  /** Epoch seconds after which the letter is useless and no longer sent. */
  readonly uselessAfter?: number;
  /** What the letter is about, unique in its company: a second letter with this key is not written. */
  readonly key?: string;
}

/**
 * Puts a letter into the outbox in the transaction of the caller. Beyond the daily limit of a company the
 * letter is parked at once, where platform staff see it.
 */
export async function sendLetter<Name extends string>(db: Db, given: Sending<Name>): Promise<void> {
  const isTooMany = (await store.countOfDay(db, given.companyId)) >= lettersPerDay;
  await store.add(db, {
    company_id: given.companyId,
    recipient: given.to.trim(),
    language: given.language,
    kind: given.kind.id,
    params: given.params,
    ...(given.key === undefined ? {} : { key: given.key }),
    useless_after: given.uselessAfter === undefined ? null : new Date(given.uselessAfter * 1000),
    state: isTooMany ? "parked" : "queued",
    error: isTooMany ? "the company has sent its letters of the day" : null,
  });
}

/**
 * Whether an address has reached its limit of letters of this kind, which protects mailboxes from flooding.
 */
export async function hasHadEnough(
  system: Db,
  to: string,
  kind: Pick<LetterKind, "id">,
  most = lettersPerHour,
): Promise<boolean> {
  return (await store.countOfHour(system, to.trim(), kind.id)) >= most;
}

/** Invitations of an hour to one address, and of one company: the letter has text that its sender has typed. */
const invitationBounds = { toAddress: 2, ofCompany: 60 } as const;

/** Whether another invitation would be one too many for its address or its company. */
export async function isInvitedEnough(
  system: Db,
  { to, companyId, kind }: Pick<Sending, "to" | "companyId"> & { readonly kind: Pick<LetterKind, "id"> },
): Promise<boolean> {
  if (await hasHadEnough(system, to, kind, invitationBounds.toAddress)) return true;
  return (await store.countOfCompany(system, companyId, kind.id)) >= invitationBounds.ofCompany;
}

/**
 * A page of the letters of the whole installation, newest first. The caller must check that the user is
 * platform staff.
 */
export async function listLetters(
  system: Db,
  asked: store.LetterListing,
): Promise<{ rows: store.ListedLetter[]; total: number }> {
  return store.page(system, asked);
}

/**
 * The content of a letter, for platform staff of an installation without a mail server (REG-031). It contains
 * links and passwords, so reading it is recorded in the audit log; with a mail server only the recipient can
 * read it. Throws `not_found`.
 */
export async function readLetter(ctx: Ctx, id: number): Promise<Composed & { readonly to: string }> {
  const row = ctx.config.smtpUrl === undefined ? await store.letter(ctx.database.system, id) : undefined;
  if (!row?.params) throw problem("not_found");
  await record(ctx, { action: "letter.read", subject: `letter ${String(id)} to ${row.recipient}` });
  return { ...compose(ctx.parts.letterKinds, { ...row, params: row.params }), to: row.recipient };
}

/** Sends a letter again that was given up, or whose delivery is unknown. Throws `not_found`. */
export async function sendAgain(ctx: Ctx, id: number): Promise<void> {
  const isQueued = await store.requeue(ctx.database.system, id, new Date(ctx.clock.nowMs()));
  if (!isQueued) throw problem("not_found");
  await record(ctx, { action: "letter.again", subject: `letter ${String(id)}` });
}
