import type { Supplier } from "@metrum/contract/access";
import type { CompanyId, SupplierId } from "@metrum/vocabulary";
import { sql, type Insertable, type Updateable } from "kysely";
import { storableJson, type Db, type Scope } from "#core";
import { pointsNow } from "./pageStore.ts";
import type { SupplierTable } from "./tables.ts";

export type NewSupplier = Omit<Insertable<SupplierTable>, "id" | "company_id" | "created_at">;

/** Suppliers in the order of their ids, which come from a query with the scope. Primary key. */
export async function suppliersOf(
  db: Db,
  scope: Scope,
  { ids, now }: { readonly ids: readonly SupplierId[]; readonly now: number },
): Promise<Supplier[]> {
  const { rows } = await sql<Supplier>`
    select supplier.id::text as _id, name, inn, number_of_contract, email, report_date::text,
      ${pointsNow(scope, "supplier", { id: sql`supplier.id`, now })} as point_count,
      extract(epoch from created_at)::bigint as created_at
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, place)
    join supplier on supplier.id = wanted.id and company_id = ${scope.companyId}::int
    order by wanted.place`.execute(db);
  return rows;
}

export async function changeSupplier(
  db: Db,
  { companyId }: Scope,
  id: SupplierId,
  change: Updateable<SupplierTable>,
): Promise<void> {
  await db
    .updateTable("supplier")
    .set(change)
    .where("id", "=", id)
    .where("company_id", "=", companyId)
    .execute();
}

export async function deleteSuppliers(
  db: Db,
  { companyId }: Scope,
  ids: readonly SupplierId[],
): Promise<void> {
  await sql`delete from supplier where id = any(${[...ids]}::int[]) and company_id = ${companyId}::int`.execute(
    db,
  );
}

/** Adds suppliers in one statement; ids in the order of the rows. */
export async function insertSuppliers(
  db: Db,
  companyId: CompanyId,
  rows: readonly NewSupplier[],
): Promise<SupplierId[]> {
  const { rows: added } = await sql<{ id: SupplierId }>`
    insert into supplier (company_id, name, inn, number_of_contract, email, report_date)
    select ${companyId}::int, name, coalesce(inn, ''), coalesce(number_of_contract, ''), coalesce(email, ''), report_date
    from rows from (jsonb_to_recordset(${storableJson(rows)}::jsonb) as (name text, inn text, number_of_contract text,
      email text, report_date date)) with ordinality as row (name, inn, number_of_contract, email, report_date, place)
    order by place returning id`.execute(db);
  return added.map(({ id }) => id);
}
