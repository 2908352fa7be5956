import { problem } from "@metrum/contract";
import type { CompanyId, Language } from "@metrum/vocabulary";
import { record, type Ctx, type Db } from "#core";
import { compose, type Composed } from "./compose.ts";
import type { LetterContent } from "./kinds.ts";
import * as store from "./store.ts";

/** Letters of a company in 24 hours: security rule 5.6. */
export const lettersPerDay = 500;
/** Letters of one kind that an address gets in an hour, where anybody may ask for them. */
export const lettersPerHour = 5;

export type Sending = LetterContent & {
  readonly companyId: CompanyId;
  readonly to: string;
  readonly language: Language;
  /** Epoch seconds from which on the letter says nothing useful: it is then not sent any more. */
  readonly uselessAfter?: number;
};

/**
 * Puts a letter into the outbox, in the transaction of the caller: it is sent if and when that commits. Beyond the number
 * a company may send in a day the letter is parked at once, where platform staff see it.
 */
export async function sendLetter(db: Db, given: Sending): Promise<void> {
  const isTooMany = (await store.countOfDay(db, given.companyId)) >= lettersPerDay;
  await store.add(db, {
    company_id: given.companyId,
    recipient: given.to.trim(),
    language: given.language,
    kind: given.kind,
    params: given.params,
    useless_after: given.uselessAfter === undefined ? null : new Date(given.uselessAfter * 1000),
    state: isTooMany ? "parked" : "queued",
    error: isTooMany ? "the company has sent its letters of the day" : null,
  });
}

/** Whether an address has had its letters of this kind for now, so that nobody's mailbox is flooded through us. */
export async function hasHadEnough(system: Db, to: string, kind: LetterContent["kind"]): Promise<boolean> {
  return (await store.countOfHour(system, to.trim(), kind)) >= lettersPerHour;
}

/** A page of the letters of the whole installation, newest first. For platform staff only: the caller sees to that. */
export async function listLetters(
  system: Db,
  asked: store.LetterListing,
): Promise<{ rows: store.ListedLetter[]; total: number }> {
  return store.page(system, asked);
}

/**
 * What stands in a letter, for platform staff of an installation without a mail server (REG-031). It holds links and
 * passwords, so reading it is noted in the audit; with a mail server nobody but the recipient reads it.
 * Throws `not_found`.
 */
export async function readLetter(ctx: Ctx, id: number): Promise<Composed & { readonly to: string }> {
  const row = ctx.config.smtpUrl === undefined ? await store.letter(ctx.database.system, id) : undefined;
  if (!row?.params) throw problem("not_found");
  await record(ctx, { action: "letter.read", subject: `letter ${String(id)} to ${row.recipient}` });
  return { ...compose({ ...row, params: row.params }), to: row.recipient };
}

/** Sends a letter again that was given up, or of which nobody knows whether it arrived. Throws `not_found`. */
export async function sendAgain(ctx: Ctx, id: number): Promise<void> {
  const isQueued = await store.requeue(ctx.database.system, id, new Date(ctx.clock.nowMs()));
  if (!isQueued) throw problem("not_found");
  await record(ctx, { action: "letter.again", subject: `letter ${String(id)}` });
}
