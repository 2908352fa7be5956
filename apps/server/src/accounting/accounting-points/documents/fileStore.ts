import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";

/** A file of a point without its bytes. */
export interface FileRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly note: string;
  readonly tie_number: number | null;
  readonly user: string | null;
  readonly created_at: number;
}

const columns = sql`f.id, f.name, f.type, f.size as bytes, f.note, f.point_device_id as tie_number, u.name as user,
  floor(extract(epoch from f.created_at))::float8 as created_at`;

/** Files of a point that came through `resolve`, newest first. Index point_file_of_point. */
export async function filesOf(db: Db, pointId: AccountingPointId): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    select ${columns} from point_file f left join users u on u.id = f.user_id
    where f.point_id = ${pointId}::int order by f.id desc`.execute(db);
  return rows;
}

/** Bytes of all files of the company. Index-only scan of point_file_of_company. */
export async function bytesOfCompany(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(size), 0)::float8 as n from point_file where company_id = ${scope.companyId}::int`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

export interface NewFile {
  readonly pointId: AccountingPointId;
  readonly tieId: number | null;
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
  readonly note: string;
}

export async function insertFile(db: Db, scope: Scope, file: NewFile): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into point_file (point_id, company_id, point_device_id, name, type, size, content, note, user_id)
    values (${file.pointId}, ${scope.companyId}, ${file.tieId}, ${file.name}, ${file.type}, ${file.content.length},
      ${file.content}, ${file.note}, ${scope.userId})
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** The bytes of one file of a point. Primary key. */
export async function contentOf(db: Db, pointId: AccountingPointId, id: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from point_file where id = ${id}::int and point_id = ${pointId}::int`.execute(db);
  return rows[0]?.content;
}

/** Deletes a file of a point; false if there is none with this id. */
export async function removeFile(
  db: Db,
  pointId: AccountingPointId,
  id: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from point_file where id = ${id}::int and point_id = ${pointId}::int returning name`.execute(db);
  return rows[0]?.name;
}
