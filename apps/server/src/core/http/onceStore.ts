import { problem } from "@metrum/contract/core";
import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import { storableJson } from "../database/storable.ts";
import type { Kept } from "./reply.ts";

/** How long a repeat gets the first answer: security rule 3.3. */
const keptMs = 24 * 3_600_000;

export interface First {
  readonly asked: Buffer;
  readonly answer: Kept;
}

/** Ours to execute; being executed by another process at this moment; or executed before. */
export type Claim = "ours" | "elsewhere" | First;

/** First key of the lock that the executing transaction of an idempotency key holds. */
const keyLock = 7_301_160;

/** Claims the key until the end of the transaction, without waiting for another one that holds it. */
export async function claim(
  db: Db,
  given: { readonly companyId: number; readonly key: string; readonly asked: Buffer; readonly at: Date },
): Promise<Claim> {
  const { companyId, key, asked, at } = given;
  const lock = await sql<{ isHeld: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(keyLock)}, hashtext(${`${String(companyId)} ${key}`})) as "isHeld"`.execute(
    db,
  );
  if (lock.rows[0]?.isHeld !== true) return "elsewhere";
  await sql`
    delete from once where company_id = ${companyId}::int and at < ${new Date(at.getTime() - keptMs)}`.execute(
    db,
  );
  const taken = await sql`
    insert into once (company_id, key, asked, at) values (${companyId}::int, ${key}, ${asked}, ${at})
    on conflict do nothing returning key`.execute(db);
  if (taken.rows.length > 0) return "ours";
  const { rows } = await sql<First>`
    select asked, answer from once where company_id = ${companyId}::int and key = ${key}`.execute(db);
  const [first] = rows;
  if (!first) throw problem("conflict");
  return first;
}

export async function keep(
  db: Db,
  { companyId, key, answer }: { readonly companyId: number; readonly key: string; readonly answer: Kept },
): Promise<void> {
  await sql`
    update once set answer = ${storableJson(answer)}::json
    where company_id = ${companyId}::int and key = ${key}`.execute(db);
}
