import { problem } from "@metrum/contract/core";
import type { Language, UserId } from "@metrum/vocabulary";
import { type Db } from "#core";
import { changeAnywhere, isAddressTaken } from "./store.ts";

export interface AccountChange {
  readonly name?: string;
  readonly email?: string;
  readonly phone_number?: string | null;
  readonly timezone?: string | null;
  readonly language?: Language;
  readonly password_hash?: string;
  readonly password_change_needed?: boolean;
  readonly newsletter_subscribed?: boolean;
  /** The mailbox is proved: the address belongs to this account from now on. */
  readonly invited_at?: null;
}

/**
 * Changes an account for its owner. Takes the unscoped handle, because the account lives in the home company,
 * wherever the session works. Throws `email_unavailable` when the address is in use.
 */
export async function changeAccount(system: Db, userId: UserId, change: AccountChange): Promise<void> {
  try {
    await changeAnywhere(system, userId, change);
  } catch (error) {
    if (!isAddressTaken(error)) throw error;
    throw problem("email_unavailable", { attributes: { email: ["email_unavailable"] } });
  }
}
