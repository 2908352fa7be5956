import type { PayloadCodec } from "@metrum/contract/metering";
import { sql } from "kysely";
import { storableJson, tiedDevices, type Db, type Scope } from "#core";
import type { CodecId } from "./tables.ts";

const columns = [
  "payload_codec.id",
  "payload_codec.company_id",
  "payload_codec.model_id",
  "payload_codec.version",
  "payload_codec.name",
  "payload_codec.is_active",
  "payload_codec.source_code",
  "payload_codec.field_map",
  "payload_codec.test_payloads",
  "payload_codec.created_at",
  "payload_codec.created_by",
] as const;

/** The last failure of a version. The device is named only to users who may see it. */
function lastFailure(scope: Scope) {
  const device = sql`from device d where d.id = failed_device_id and ${tiedDevices(scope, sql`d.id`)}`;
  return sql<PayloadCodec["last_failure"]>`
    case when failed_at is not null then jsonb_build_object('at', failed_at, 'device_id', (select d.id ${device}),
      'device_name', coalesce((select d.name ${device}), ''), 'message', failure) end`.as("last_failure");
}

export interface CodecFilter {
  readonly model_id: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * A page of the versions of a company. Rows: dozens a company; index: the unique one on (company_id,
 * model_id, version).
 */
export async function page(
  db: Db,
  scope: Scope,
  filter: CodecFilter,
): Promise<{ rows: PayloadCodec[]; total: number }> {
  let query = db.selectFrom("payload_codec").where("payload_codec.company_id", "=", scope.companyId);
  if (filter.model_id !== undefined) query = query.where("payload_codec.model_id", "=", filter.model_id);
  const rows = await query
    .select([...columns, lastFailure(scope)])
    .orderBy("payload_codec.model_id")
    .orderBy("payload_codec.version", "desc")
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
    .select([...columns, lastFailure(scope)])
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

/**
 * Adds the next version of a model. Saves of one model are serialised, so that version numbers are unique.
 */
export async function add(
  db: Db,
  scope: Scope,
  given: NewVersion,
): Promise<Pick<PayloadCodec, "version"> & { readonly id: CodecId }> {
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
      field_map: storableJson(given.field_map),
      test_payloads: storableJson(given.test_payloads),
      created_by: scope.userId,
    })
    .returning(["id", "version"])
    .executeTakeFirstOrThrow();
}

/**
 * Makes a version the active one of its model; null: none. The previously active version is deactivated
 * first.
 */
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

/** The present decoders of a company's devices. */
export interface ActiveCodec {
  readonly id: CodecId;
  readonly version: number;
  readonly name: string;
  readonly modelId: number;
  readonly source: string;
  readonly fieldMap: PayloadCodec["field_map"];
}

/** The active codecs of a company; a few at most. Index: payload_codec_active. */
export async function active(db: Db, companyId: number): Promise<ActiveCodec[]> {
  const { rows } = await sql<ActiveCodec>`
    select id, version, name, model_id as "modelId", source_code as source, field_map as "fieldMap"
    from payload_codec where company_id = ${companyId} and is_active`.execute(db);
  return rows;
}

/** The newest failure of a version replaces the previous one. */
export async function noteFailure(
  db: Db,
  { id, deviceId, message, at }: { id: CodecId; deviceId: number; message: string; at: number },
): Promise<void> {
  await sql`
    update payload_codec set failed_at = ${at}, failed_device_id = ${deviceId}, failure = ${message.slice(0, 500)}
    where id = ${id} and (failed_at is null or failed_at <= ${at})`.execute(db);
}
