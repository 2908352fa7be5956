import type { CompanyId, Language } from "@metrum/vocabulary";
import { sql, type RawBuilder, type Selectable } from "kysely";
import { containing, storableJson, type Db } from "#core";
import type { LetterState, LetterTable } from "./tables.ts";

export type LetterRow = Selectable<LetterTable>;

/** Lock key used only by this count. */
const countingLock = 7_301_008;

/** Letters of a company in the 24 h before now. Locks out other counts until the transaction ends. */
export async function countOfDay(db: Db, companyId: CompanyId): Promise<number> {
  await sql`select pg_advisory_xact_lock(${countingLock}, ${companyId}::int)`.execute(db);
  const { n } = await db
    .selectFrom("letter")
    .select((row) => row.fn.countAll<number>().as("n"))
    .where("company_id", "=", companyId)
    .where("created_at", ">", sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * Letters of one kind to one address in the hour before now, in any company. Index:
 * letter_recipient_kind_created_at_idx.
 */
export async function countOfHour(system: Db, recipient: string, kind: string): Promise<number> {
  const { n } = await system
    .selectFrom("letter")
    .select((row) => row.fn.countAll<number>().as("n"))
    .where("recipient", "=", recipient)
    .where("kind", "=", kind)
    .where("created_at", ">", sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return n;
}

/** Letters of one kind of a company in the hour before now. Index: that of `countOfDay`. */
export async function countOfCompany(system: Db, companyId: CompanyId, kind: string): Promise<number> {
  const { n } = await system
    .selectFrom("letter")
    .select((row) => row.fn.countAll<number>().as("n"))
    .where("company_id", "=", companyId)
    .where("kind", "=", kind)
    .where("created_at", ">", sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return n;
}

/** Adds a letter, unless the company has one with this key. */
export async function add(
  db: Db,
  given: {
    readonly company_id: CompanyId;
    readonly recipient: string;
    readonly language: Language;
    readonly kind: string;
    readonly key?: string;
    readonly params: object;
    readonly useless_after: Date | null;
    readonly state: "queued" | "parked";
    readonly error: string | null;
  },
): Promise<void> {
  await db
    .insertInto("letter")
    .values({
      ...given,
      params: storableJson(given.params),
      // Due at once, even if the clock of the database is ahead.
      due_at: sql<Date>`'-infinity'`,
      leased_until: null,
      sent_at: null,
    })
    .onConflict((conflict) => conflict.columns(["company_id", "key"]).doNothing())
    .execute();
}

/**
 * Leases one letter that is due for `leaseSec`; no other process gets it meanwhile. Undefined when there is
 * none. Index: letter_due.
 */
export async function lease(system: Db, now: Date, leaseSec: number): Promise<LetterRow | undefined> {
  const { rows } = await sql<LetterRow>`
    update letter set leased_until = ${new Date(now.getTime() + leaseSec * 1000)}, tries = tries + 1
    where id = (
      select id from letter
      where state = 'queued' and due_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by due_at, id limit 1 for update skip locked
    )
    returning *
  `.execute(system);
  return rows[0];
}

/** Records that sending of the letter begins. False when the lease has passed to another process. */
export async function beginSending(system: Db, { id, tries }: LetterRow): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable("letter")
    .set({ state: "sending" })
    .where("id", "=", id)
    .where("tries", "=", tries)
    .where("state", "=", "queued")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records the end of an attempt, if this process still holds the lease. */
export async function conclude(
  system: Db,
  { id, tries }: LetterRow,
  end: {
    readonly state: LetterState;
    readonly error: string | null;
    readonly due_at?: Date;
    readonly sent_at?: Date;
    readonly params?: null;
  },
): Promise<void> {
  await system
    .updateTable("letter")
    .set({ ...end, leased_until: null })
    .where("id", "=", id)
    .where("tries", "=", tries)
    .where("state", "in", ["queued", "sending"])
    .execute();
}

/** Letters whose process died while sending: whether they arrived is not known. */
export async function markUnknown(system: Db, now: Date): Promise<void> {
  await system
    .updateTable("letter")
    .set({ state: "unknown", error: "the process ended while the letter was leaving", leased_until: null })
    .where("state", "=", "sending")
    .where("leased_until", "<=", now)
    .execute();
}

/**
 * After the clock was set back: letters of a time that is still to come were written so much earlier, and those that
 * wait do so for that much less. Rows: those of three months.
 */
export async function pullLettersNear(system: Db, now: Date, bySec: number): Promise<void> {
  const near = (column: RawBuilder<unknown>) =>
    sql`case when ${column} > ${now} then ${column} - make_interval(secs => ${bySec}) else ${column} end`;
  await sql`
    update letter set created_at = ${near(sql`created_at`)}, due_at = ${near(sql`due_at`)},
      leased_until = ${near(sql`leased_until`)}
    where id in (
      select id from letter where created_at > ${now} or due_at > ${now} or leased_until > ${now}
      order by id for update)`.execute(system);
}

/** Deletes texts after a week and letters after three months. */
export async function forgetOld(system: Db, nowSec: number): Promise<void> {
  const ago = (days: number): Date => new Date((nowSec - days * 86_400) * 1000);
  await system
    .updateTable("letter")
    .set({ params: null })
    .where("params", "is not", null)
    .where("created_at", "<", ago(7))
    .where("state", "!=", "queued")
    .execute();
  await system.deleteFrom("letter").where("created_at", "<", ago(90)).execute();
}

export interface LetterListing {
  readonly state?: LetterState | undefined;
  readonly search?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export type ListedLetter = Omit<LetterRow, "key" | "params" | "leased_until" | "due_at" | "useless_after"> & {
  readonly has_text: boolean;
};

/** A page of the letters of all companies, newest first, without their content. */
export async function page(
  system: Db,
  { state, search = "", limit, offset }: LetterListing,
): Promise<{ rows: ListedLetter[]; total: number }> {
  let query = system.selectFrom("letter");
  if (state) query = query.where("state", "=", state);
  if (search !== "") query = query.where(sql<string>`recipient::text`, "ilike", containing(search));
  const rows = await query
    .select([
      "id",
      "company_id",
      "recipient",
      "language",
      "kind",
      "state",
      "tries",
      "created_at",
      "sent_at",
      "error",
    ])
    .select(sql<boolean>`params is not null`.as("has_text"))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await query
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function letter(system: Db, id: number): Promise<LetterRow | undefined> {
  return system.selectFrom("letter").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Puts a given-up letter back into the queue; false when it was not given up, or its text is deleted. */
export async function requeue(system: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable("letter")
    .set({ state: "queued", tries: 0, due_at: now, error: null, leased_until: null })
    .where("id", "=", id)
    .where("state", "in", ["parked", "unknown"])
    .where("params", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
