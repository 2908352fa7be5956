import type { CompanyId, Text } from "@metrum/vocabulary";
import { sql } from "kysely";
import { storableJson, type Db, type Scope } from "#core";
import type { CompanyServiceId } from "./tables.ts";

/** A service of the catalogue. */
export interface ServiceRow {
  readonly id: number;
  readonly service_group_id: number;
  readonly code: string;
  readonly title: Text;
  readonly price: number | null;
  readonly currency: string | null;
  readonly is_available: boolean;
}

/** A service of a company, with its data of the catalogue. */
export interface CompanyServiceRow {
  readonly id: CompanyServiceId;
  readonly company_id: CompanyId;
  readonly service_id: number;
  readonly code: string;
  readonly title: Text;
  readonly is_active: boolean;
  readonly is_available: boolean;
  readonly settings: Record<string, unknown>;
}

/** Groups of the catalogue; some at most. */
export async function groups(db: Db): Promise<{ id: number; title: Text }[]> {
  return db.selectFrom("service_group").select(["id", "title"]).orderBy("id").execute();
}

/** The whole catalogue; some dozens at most. */
export async function catalogue(db: Db): Promise<ServiceRow[]> {
  return db.selectFrom("service").selectAll().orderBy("service_group_id").orderBy("id").execute();
}

export async function service(db: Db, id: number): Promise<ServiceRow | undefined> {
  return db.selectFrom("service").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Services of the company of the session. Index: the unique one on (company_id, service_id). */
export async function ofCompany(db: Db, scope: Scope): Promise<CompanyServiceRow[]> {
  return selectOf(db, scope).orderBy("s.id").execute();
}

export async function ofCompanyByCode(
  db: Db,
  scope: Scope,
  code: string,
): Promise<CompanyServiceRow | undefined> {
  return selectOf(db, scope).where("s.code", "=", code).executeTakeFirst();
}

/** Creates or changes the service of the company; undefined fields stay unchanged. */
export async function put(
  db: Db,
  scope: Scope,
  given: {
    readonly service_id: number;
    readonly is_active: boolean | undefined;
    readonly settings: Readonly<Record<string, unknown>> | undefined;
  },
): Promise<void> {
  const settings = given.settings === undefined ? null : storableJson(given.settings);
  const isActive = given.is_active ?? null;
  await sql`
    insert into company_service (company_id, service_id, is_active, settings)
    values (${scope.companyId}, ${given.service_id}, coalesce(${isActive}::boolean, true), coalesce(${settings}::jsonb, '{}'))
    on conflict (company_id, service_id) do update set
      is_active = coalesce(${isActive}::boolean, company_service.is_active),
      settings = coalesce(${settings}::jsonb, company_service.settings)
  `.execute(db);
}

export async function remove(db: Db, scope: Scope, id: CompanyServiceId): Promise<void> {
  await db
    .deleteFrom("company_service")
    .where("company_id", "=", scope.companyId)
    .where("id", "=", id)
    .execute();
}

/** Creates or changes a service of the catalogue by its code, and its group if a title is given. */
export async function offer(
  db: Db,
  given: Omit<ServiceRow, "id" | "service_group_id"> & { readonly groupId: number },
): Promise<ServiceRow> {
  const { groupId, title, ...fields } = given;
  const values = { ...fields, service_group_id: groupId, title: storableJson(title) };
  return db
    .insertInto("service")
    .values(values)
    .onConflict((conflict) => conflict.column("code").doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The group of a code, created or renamed if a title is given. */
export async function groupId(db: Db, code: string, title: Text | undefined): Promise<number | undefined> {
  if (title) {
    const text = storableJson(title);
    const { id } = await db
      .insertInto("service_group")
      .values({ code, title: text })
      .onConflict((conflict) => conflict.column("code").doUpdateSet({ title: text }))
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }
  const found = await db.selectFrom("service_group").select("id").where("code", "=", code).executeTakeFirst();
  return found?.id;
}

export interface ServiceNote {
  readonly companyId: CompanyId;
  readonly serviceId: number;
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly result?: string;
}

/** Appends a row to the service log, which is never updated. */
export async function note(db: Db, given: ServiceNote): Promise<void> {
  await db
    .insertInto("service_log")
    .values({
      company_id: given.companyId,
      service_id: given.serviceId,
      message: given.message,
      params: storableJson(given.params ?? {}),
      result: given.result ?? "ok",
    })
    .execute();
}

export interface ServiceLogPage {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of the service log, newest first. Index: service_log_company_id_at_id_idx. */
export async function log(db: Db, scope: Scope, asked: ServiceLogPage) {
  let query = db
    .selectFrom("service_log as l")
    .innerJoin("service as s", "s.id", "l.service_id")
    .where("l.company_id", "=", scope.companyId);
  if (asked.from !== undefined) query = query.where("l.at", ">=", new Date(asked.from * 1000));
  if (asked.to !== undefined) query = query.where("l.at", "<", new Date((asked.to + 1) * 1000));
  const rows = await query
    .select(["l.id", "l.service_id", "s.title", "l.at", "l.message", "l.params", "l.result"])
    .orderBy("l.at", "desc")
    .orderBy("l.id", "desc")
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
  const { total } = await query
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

function selectOf(db: Db, scope: Scope) {
  return db
    .selectFrom("company_service as c")
    .innerJoin("service as s", "s.id", "c.service_id")
    .select([
      "c.id",
      "c.company_id",
      "c.service_id",
      "s.code",
      "s.title",
      "c.is_active",
      "s.is_available",
      "c.settings",
    ])
    .where("c.company_id", "=", scope.companyId);
}
