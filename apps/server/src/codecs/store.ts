import type { PayloadCodec } from "@metrum/contract";
import { sql } from "kysely";
import type { Db, Scope } from "#core";
import type { CodecId } from "./tables.ts";

export interface CodecFilter {
  readonly model_id: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A page of the versions of a company. Rows: dozens a company; index: the unique one on (company_id, model_id, version). */
export async function page(
  db: Db,
  scope: Scope,
  filter: CodecFilter,
): Promise<{ rows: PayloadCodec[]; total: number }> {
  let query = db.selectFrom("payload_codec").where("company_id", "=", scope.companyId);
  if (filter.model_id !== undefined) query = query.where("model_id", "=", filter.model_id);
  const rows = await query
    .selectAll()
    .orderBy("model_id")
    .orderBy("version", "desc")
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const { total } = await query
    .select((select) => select.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function one(db: Db, scope: Scope, id: CodecId): Promise<PayloadCodec | undefined> {
  return db
    .selectFrom("payload_codec")
    .selectAll()
    .where("company_id", "=", scope.companyId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export interface NewVersion {
  readonly model_id: number;
  readonly name: string;
  readonly source_code: string;
  readonly field_map: PayloadCodec["field_map"];
  readonly test_payloads: PayloadCodec["test_payloads"];
  readonly created_at: number;
}

/** Adds the next version of a model. Saves of one model wait for each other, so that two never get the same number. */
export async function add(db: Db, scope: Scope, given: NewVersion): Promise<PayloadCodec> {
  await sql`select pg_advisory_xact_lock(${scope.companyId}::int, ${given.model_id}::int)`.execute(db);
  const { last } = await db
    .selectFrom("payload_codec")
    .select((select) => select.fn.max<number | null>("version").as("last"))
    .where("company_id", "=", scope.companyId)
    .where("model_id", "=", given.model_id)
    .executeTakeFirstOrThrow();
  return db
    .insertInto("payload_codec")
    .values({
      ...given,
      company_id: scope.companyId,
      version: (last ?? 0) + 1,
      is_active: false,
      field_map: JSON.stringify(given.field_map),
      test_payloads: JSON.stringify(given.test_payloads),
      created_by: scope.userId,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Makes a version the active one of its model; null: none. Versions that were active give way first. */
export async function activate(db: Db, scope: Scope, modelId: number, id: CodecId | null): Promise<void> {
  const ofModel = db
    .updateTable("payload_codec")
    .where("company_id", "=", scope.companyId)
    .where("model_id", "=", modelId);
  await ofModel.set({ is_active: false }).where("is_active", "=", true).execute();
  if (id !== null) await ofModel.set({ is_active: true }).where("id", "=", id).execute();
}

export async function remove(db: Db, scope: Scope, id: CodecId): Promise<void> {
  await db
    .deleteFrom("payload_codec")
    .where("company_id", "=", scope.companyId)
    .where("id", "=", id)
    .execute();
}

/** What decodes the devices of a company now. */
export interface ActiveCodec {
  readonly id: CodecId;
  readonly version: number;
  readonly modelId: number;
  readonly source: string;
  readonly fieldMap: PayloadCodec["field_map"];
}

/** The active codecs of a company; some at most. Index: payload_codec_active. */
export async function active(db: Db, companyId: number): Promise<ActiveCodec[]> {
  const { rows } = await sql<ActiveCodec>`
    select id, version, model_id as "modelId", source_code as source, field_map as "fieldMap"
    from payload_codec where company_id = ${companyId} and is_active`.execute(db);
  return rows;
}
