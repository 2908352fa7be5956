import { createHash, randomBytes } from "node:crypto";
import type { UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { LetterLinkTable, LinkPurpose } from "./tables.ts";

export interface FoundLink {
  readonly userId: UserId;
  readonly purpose: LinkPurpose;
  /** The address that it proves, of the purpose address. */
  readonly email: string | null;
  /** Already used. */
  readonly isSpent: boolean;
}

interface Asked {
  readonly token: string;
  readonly purposes: readonly LinkPurpose[];
  readonly nowSec: number;
}

/** Days for which an expired link is kept. */
const keptDays = 90;

const shapeOfToken = /^[\w-]{43}$/;

/**
 * Creates a link for a letter and returns its token: 256 random bits, of which only the hash is stored.
 * Earlier unused links of the user for the same purpose are invalidated.
 */
export async function issueLink(
  db: Db,
  given: {
    readonly userId: UserId;
    readonly purpose: LinkPurpose;
    /** For the purpose address: the one that the link proves. */
    readonly email?: string;
    readonly validSec: number;
    readonly nowSec: number;
  },
): Promise<string> {
  const { userId, purpose, email = null, validSec, nowSec } = given;
  const token = randomBytes(32).toString("base64url");
  await db
    .deleteFrom("letter_link")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .where("spent_at", "is", null)
    .execute();
  await sql`
    insert into letter_link (token_hash, company_id, user_id, purpose, email, created_at, expires_at)
    select ${hashOf(token)}, company_id, id, ${purpose}, ${email}::citext, ${new Date(nowSec * 1000)}, ${new Date((nowSec + validSec) * 1000)}
    from users where id = ${userId}::int
  `.execute(db);
  return token;
}

/**
 * The link of a token, used or not; undefined when it is unknown, of another purpose or expired. Does not use
 * it up.
 */
export async function findLink(
  system: Db,
  { token, purposes, nowSec }: Asked,
): Promise<FoundLink | undefined> {
  if (!shapeOfToken.test(token)) return undefined;
  const row = await system
    .selectFrom("letter_link")
    .select(["user_id", "purpose", "email", "spent_at"])
    .where("token_hash", "=", hashOf(token))
    .where("purpose", "in", purposes)
    .where("expires_at", ">", new Date(nowSec * 1000))
    .executeTakeFirst();
  return row && { ...linkOf(row), isSpent: row.spent_at !== null };
}

/** Uses up a link: of concurrent or later requests only the first gets it, the others get undefined. */
export async function spendLink(
  system: Db,
  { token, purposes, nowSec }: Asked,
): Promise<FoundLink | undefined> {
  if (!shapeOfToken.test(token)) return undefined;
  const now = new Date(nowSec * 1000);
  const row = await system
    .updateTable("letter_link")
    .set({ spent_at: now })
    .where("token_hash", "=", hashOf(token))
    .where("purpose", "in", purposes)
    .where("expires_at", ">", now)
    .where("spent_at", "is", null)
    .returning(["user_id", "purpose", "email"])
    .executeTakeFirst();
  return row && { ...linkOf(row), isSpent: false };
}

/** Deletes unused links, which a changed password or e-mail would turn into a risk. */
export async function dropLinks(system: Db, userId: UserId): Promise<void> {
  await system
    .deleteFrom("letter_link")
    .where("user_id", "=", userId)
    .where("spent_at", "is", null)
    .execute();
}

/** Removes links that expired long ago. */
export async function forgetDeadLinks(system: Db, nowSec: number): Promise<void> {
  const before = new Date((nowSec - keptDays * 86_400) * 1000);
  await system.deleteFrom("letter_link").where("expires_at", "<", before).execute();
}

const linkOf = ({ user_id, purpose, email }: Pick<LetterLinkTable, "user_id" | "purpose" | "email">) => ({
  userId: user_id,
  purpose,
  email,
});

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
