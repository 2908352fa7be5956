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
  /** Whom the provider has named already; null the first time. */
  readonly email: string | null;
}

/** Hashes of what only the browser that began the journey has. */
export interface JourneyKeys {
  readonly state: Buffer;
  readonly ticket: Buffer;
}

/** A journey that comes back: once to be exchanged, then only when the exchange has named somebody. */
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

/** It ends with a token: who ends it first gets one. */
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
