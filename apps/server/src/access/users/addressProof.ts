import { problem } from "@metrum/contract/core";
import type { Ctx, Db } from "#core";
import { hasHadEnough, issueLink, sendLetter } from "#access/letters";
import { addressProof } from "./letters.ts";
import type { UserRow } from "./store.ts";

/** Validity of the link that proves another address. */
const proofSec = 3600;

/**
 * Sends a link to another address of an account, which counts once it is opened. The same for an address that has an
 * account: only the reader of its letters learns that. Problem: too_many_requests.
 */
export async function askAddressProof(
  { clock, config }: Pick<Ctx, "clock" | "config">,
  db: Db,
  { account, email }: { readonly account: UserRow; readonly email: string },
): Promise<void> {
  if (await hasHadEnough(db, email, addressProof)) throw problem("too_many_requests");
  const nowSec = clock.now();
  const link = { userId: account.id, purpose: "address", email, validSec: proofSec, nowSec } as const;
  const token = await issueLink(db, link);
  await sendLetter(db, {
    companyId: account.company_id,
    to: email,
    language: account.language,
    kind: addressProof,
    params: { link: `${config.publicUrl.replace(/\/$/, "")}/#/auth/activate/${token}` },
    uselessAfter: nowSec + proofSec,
  });
}
