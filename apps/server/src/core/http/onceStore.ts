import { problem } from "@metrum/contract";
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

/** Claims the key; undefined on success. Waits for a transaction that holds the same key. */
export async function claim(
  db: Db,
  given: { readonly companyId: number; readonly key: string; readonly asked: Buffer; readonly at: Date },
): Promise<First | undefined> {
  const { companyId, key, asked, at } = given;
  await sql`
    delete from once where company_id = ${companyId}::int and at < ${new Date(at.getTime() - keptMs)}`.execute(
    db,
  );
  const taken = await sql`
    insert into once (company_id, key, asked, at) values (${companyId}::int, ${key}, ${asked}, ${at})
    on conflict do nothing returning key`.execute(db);
  if (taken.rows.length > 0) return undefined;
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
