import type { Consumer } from "@metrum/contract/access";
import type { CompanyId, ConsumerId } from "@metrum/vocabulary";
import { sql, type Insertable, type Updateable } from "kysely";
import { storableJson, type Db, type Scope } from "#core";
import { pointsNow } from "./pageStore.ts";
import type { ConsumerTable } from "./tables.ts";

export type NewConsumer = Omit<Insertable<ConsumerTable>, "id" | "company_id" | "created_at">;

/** Consumers in the order of their ids, which come from a query with the scope. Primary key. */
export async function consumersOf(
  db: Db,
  scope: Scope,
  { ids, now }: { readonly ids: readonly ConsumerId[]; readonly now: number },
): Promise<Consumer[]> {
  const { rows } = await sql<Consumer>`
    select consumer.id::text as _id, name, inn, number_of_contract, subject_type_id, address, comment,
      registration_date::text, registration_number, phone_number, email, account_access_enabled,
      measurement_code_object, ${pointsNow(scope, "consumer", { id: sql`consumer.id`, now })} as point_count,
      extract(epoch from created_at)::bigint as created_at, extract(epoch from erased_at)::bigint as erased_at
    from unnest(${[...ids]}::int[]) with ordinality as wanted (id, place)
    join consumer on consumer.id = wanted.id and company_id = ${scope.companyId}::int
    order by wanted.place`.execute(db);
  return rows;
}

export async function changeConsumer(
  db: Db,
  { companyId }: Scope,
  id: ConsumerId,
  change: Updateable<ConsumerTable>,
): Promise<void> {
  await db
    .updateTable("consumer")
    .set(change)
    .where("id", "=", id)
    .where("company_id", "=", companyId)
    .execute();
}

export async function deleteConsumers(
  db: Db,
  { companyId }: Scope,
  ids: readonly ConsumerId[],
): Promise<void> {
  await sql`delete from consumer where id = any(${[...ids]}::int[]) and company_id = ${companyId}::int`.execute(
    db,
  );
}

/** Adds consumers in one statement; ids in the order of the rows. */
export async function insertConsumers(
  db: Db,
  companyId: CompanyId,
  rows: readonly NewConsumer[],
): Promise<ConsumerId[]> {
  const { rows: added } = await sql<{ id: ConsumerId }>`
    insert into consumer (company_id, name, inn, number_of_contract, subject_type_id, address, comment,
      registration_date, registration_number, phone_number, email, account_access_enabled, measurement_code_object)
    select ${companyId}::int, name, coalesce(inn, ''), coalesce(number_of_contract, ''), subject_type_id,
      coalesce(address, ''), coalesce(comment, ''), registration_date, registration_number, phone_number, email,
      coalesce(account_access_enabled, false), coalesce(measurement_code_object, '')
    from rows from (jsonb_to_recordset(${storableJson(rows)}::jsonb) as (name text, inn text, number_of_contract text,
      subject_type_id smallint, address text, comment text, registration_date date, registration_number text,
      phone_number text, email text, account_access_enabled boolean, measurement_code_object text))
      with ordinality as row (name, inn, number_of_contract, subject_type_id, address, comment, registration_date,
        registration_number, phone_number, email, account_access_enabled, measurement_code_object, place)
    order by place returning id`.execute(db);
  return added.map(({ id }) => id);
}
