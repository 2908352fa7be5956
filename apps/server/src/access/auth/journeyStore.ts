import type { Insertable } from "kysely";
import type { Db } from "#core";
import type { OidcJourneyTable } from "./tables.ts";

export async function beginJourney(
  db: Db,
  row: Omit<Insertable<OidcJourneyTable>, "is_used" | "email">,
): Promise<void> {
  await db
    .insertInto("oidc_journey")
    .values({ ...row, email: null })
    .execute();
}

export interface Journey {
  readonly nonce: string;
  readonly verifier: string;
  /** The user named by the provider; null until then. */
  readonly email: string | null;
}

/** Hashes of the secrets that only the browser that began the journey has. */
export interface JourneyKeys {
  readonly state: Buffer;
  readonly ticket: Buffer;
}

/**
 * Finds a returning journey: once before its code is exchanged, afterwards only if the exchange has named a
 * user.
 */
export async function claimJourney(
  db: Db,
  { state, ticket }: JourneyKeys,
  nowMs: number,
): Promise<Journey | undefined> {
  const row = await db
    .updateTable("oidc_journey")
    .set({ is_used: true })
    .where("state_hash", "=", state)
    .where("ticket_hash", "=", ticket)
    .where("expires_at", ">", new Date(nowMs))
    .where((where) => where.or([where("is_used", "=", false), where("email", "is not", null)]))
    .returning(["nonce", "verifier", "email"])
    .executeTakeFirst();
  return row;
}

export async function nameJourney(db: Db, state: Buffer, email: string): Promise<void> {
  await db.updateTable("oidc_journey").set({ email }).where("state_hash", "=", state).execute();
}

/** Ends the journey, which yields one token: of concurrent requests only one gets it. */
export async function endJourney(db: Db, state: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom("oidc_journey")
    .where("state_hash", "=", state)
    .returning("state_hash")
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeOldJourneys(db: Db, nowMs: number): Promise<void> {
  await db.deleteFrom("oidc_journey").where("expires_at", "<", new Date(nowMs)).execute();
}
