import { fieldFault, problem, type Call } from "@metrum/contract";
import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import { storableJson } from "../database/storable.ts";
import { secretBox } from "../secrets.ts";
import type { Ctx } from "./context.ts";
import { kept, restored, type Kept } from "./reply.ts";

/** For so long a repeat gets the first answer: security rule 3.3. */
const keptMs = 24 * 3_600_000;
const longestKey = 200;

type Handler = (input: unknown, ctx: unknown) => unknown;

/**
 * Makes a call work once per `Idempotency-Key` and company: a repeat gets the first answer, requests at the same time wait for
 * it, and a request that failed leaves nothing behind. Throws `wrong_input` for a key that is too long and `key_reused` when
 * the key came with another request. Without a key every request counts.
 */
export function once(definition: Call, handler: Handler): Handler {
  return async (input, given) => {
    const ctx = given as Ctx;
    const key = ctx.onceKey;
    if (key === undefined) return handler(input, ctx);
    if (key.length > longestKey)
      throw problem("wrong_input", {
        attributes: { "idempotency-key": [fieldFault("text_long", { most: longestKey })] },
      });
    // Under our key: what was asked may hold a password that is short enough to be found by trying.
    const asked = secretBox(ctx.config).mac(JSON.stringify([definition.id, ctx.scope.userId, input]), "once");
    const at = new Date(ctx.clock.nowMs());
    const first = await claim(ctx.db, { companyId: ctx.scope.companyId, key, asked, at });
    if (first === undefined) {
      const result = await handler(input, ctx);
      await keep(ctx.db, { companyId: ctx.scope.companyId, key, answer: kept(result) });
      return result;
    }
    if (!first.asked.equals(asked)) throw problem("key_reused");
    return restored(first.answer);
  };
}

interface First {
  readonly asked: Buffer;
  readonly answer: Kept;
}

/** Takes the key; undefined when it is ours now. Waits for a transaction that holds the same key. */
async function claim(
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

async function keep(
  db: Db,
  { companyId, key, answer }: { readonly companyId: number; readonly key: string; readonly answer: Kept },
): Promise<void> {
  await sql`
    update once set answer = ${storableJson(answer)}::json
    where company_id = ${companyId}::int and key = ${key}`.execute(db);
}
