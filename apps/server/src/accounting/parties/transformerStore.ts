import type { Transformer } from "@metrum/contract/accounting";
import type { TransformerId } from "@metrum/vocabulary";
import { sql, type Insertable, type Updateable } from "kysely";
import type { Db, Scope } from "#core";
import { pointsNow } from "./pageStore.ts";
import type { TransformerTable } from "./tables.ts";

export type NewTransformer = Omit<Insertable<TransformerTable>, "id" | "company_id" | "created_at">;

/** Transformers in the order of their ids, which come from a query with the scope. Primary key. */
export async function transformersOf(
  db: Db,
  scope: Scope,
  { ids, now }: { readonly ids: readonly TransformerId[]; readonly now: number },
): Promise<Transformer[]> {
  const { rows } = await sql<Transformer>`
    select transformer.id, title, kind, primary_value, secondary_value, ratio, accuracy_class, number,
      verified_at::text, verified_until::text,
      ${pointsNow(scope, "transformer", { id: sql`transformer.id`, now })} as point_count,
      extract(epoch from created_at)::bigint as created_at
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, place)
    join transformer on transformer.id = wanted.id and company_id = ${scope.companyId}::int
    order by wanted.place`.execute(db);
  return rows;
}

export async function insertTransformer(
  db: Db,
  { companyId }: Pick<Scope, "companyId">,
  row: NewTransformer,
): Promise<TransformerId> {
  const { id } = await db
    .insertInto("transformer")
    .values({ ...row, company_id: companyId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function changeTransformer(
  db: Db,
  { companyId }: Scope,
  id: TransformerId,
  change: Updateable<TransformerTable>,
): Promise<void> {
  await db
    .updateTable("transformer")
    .set(change)
    .where("id", "=", id)
    .where("company_id", "=", companyId)
    .execute();
}

export async function deleteTransformer(db: Db, { companyId }: Scope, id: TransformerId): Promise<void> {
  await db.deleteFrom("transformer").where("id", "=", id).where("company_id", "=", companyId).execute();
}
