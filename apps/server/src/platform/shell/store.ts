import type { CompanyId } from "@metrum/vocabulary";
import { sql, type Selectable } from "kysely";
import { storableJson, type Db } from "#core";
import type { CheckedFile } from "./files.ts";
import type { ClientErrorTable, DemoCredentials, DesignTable } from "./tables.ts";

export type DesignRow = Selectable<DesignTable>;

export interface DesignChange {
  readonly title?: string | null | undefined;
  readonly linkToHelp?: string | null | undefined;
  readonly accent?: string | null | undefined;
  readonly logo_cloud?: string | null | undefined;
  readonly logo_cloud_en?: string | null | undefined;
  readonly logo_auth?: string | null | undefined;
  readonly favicon?: string | null | undefined;
  readonly stylesheet?: string | null | undefined;
  readonly script?: string | null | undefined;
  readonly demo?: DemoCredentials | null | undefined;
}

/** The design of a host; undefined if it has none. Index: design_host_pkey. */
export async function designOf(system: Db, host: string): Promise<DesignRow | undefined> {
  return system
    .selectFrom("design")
    .innerJoin("design_host", "design_host.company_id", "design.company_id")
    .selectAll("design")
    .where("design_host.host", "=", host)
    .executeTakeFirst();
}

export async function designOfCompany(db: Db, company: CompanyId): Promise<DesignRow | undefined> {
  return db.selectFrom("design").selectAll().where("company_id", "=", company).executeTakeFirst();
}

export async function hostsOf(db: Db, company: CompanyId): Promise<string[]> {
  const rows = await db
    .selectFrom("design_host")
    .select("host")
    .where("company_id", "=", company)
    .orderBy("host")
    .execute();
  return rows.map(({ host }) => host);
}

/** Undefined fields stay unchanged. */
export async function saveDesign(db: Db, company: CompanyId, change: DesignChange): Promise<DesignRow> {
  const { demo, ...columns } = change;
  const given = {
    ...columns,
    ...(demo === undefined ? {} : { demo: demo === null ? null : storableJson(demo) }),
  };
  return db
    .insertInto("design")
    .values({ company_id: company, ...given })
    .onConflict((conflict) =>
      conflict.column("company_id").doUpdateSet({ ...given, updated_at: sql<Date>`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Assigns exactly these hosts to a design. Returns how many it got: hosts of another design stay with it. */
export async function assignHosts(db: Db, company: CompanyId, hosts: readonly string[]): Promise<number> {
  await db.deleteFrom("design_host").where("company_id", "=", company).execute();
  if (hosts.length === 0) return 0;
  const given = await db
    .insertInto("design_host")
    .values(hosts.map((host) => ({ host, company_id: company })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("host")
    .execute();
  return given.length;
}

/** Stores new files, and deletes those no longer used by the design. */
export async function keepFiles(db: Db, row: DesignRow, files: readonly CheckedFile[]): Promise<void> {
  if (files.length > 0)
    await db
      .insertInto("design_file")
      .values(files.map(({ name, bytes }) => ({ name, bytes, company_id: row.company_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const { logo_cloud, logo_cloud_en, logo_auth, favicon, stylesheet, script } = row;
  const named = [logo_cloud, logo_cloud_en, logo_auth, favicon, stylesheet, script].filter(
    (each) => each !== null,
  );
  await db
    .deleteFrom("design_file")
    .where("company_id", "=", row.company_id)
    .where("name", "not in", ["", ...named])
    .execute();
}

/** Equal names mean equal bytes, so an existing file is kept. */
export async function fileBytes(system: Db, name: string): Promise<Buffer | undefined> {
  const row = await system
    .selectFrom("design_file")
    .select("bytes")
    .where("name", "=", name)
    .limit(1)
    .executeTakeFirst();
  return row?.bytes;
}

/** Maximum number of different errors stored; a flood of new ones is ignored. */
const mostErrors = 10_000;

export async function noteError(
  system: Db,
  { last_at, ...error }: Omit<Selectable<ClientErrorTable>, "times" | "first_at">,
): Promise<void> {
  await sql`
    insert into client_error (fingerprint, message, stack, url, user_agent, app_version, first_at, last_at)
    select ${error.fingerprint}, ${error.message}, ${error.stack}, ${error.url}, ${error.user_agent}, ${error.app_version},
      ${last_at}::timestamptz, ${last_at}::timestamptz
    where (select count(*) from client_error) < ${mostErrors}
      or exists (select from client_error where fingerprint = ${error.fingerprint})
    on conflict (fingerprint) do update set times = client_error.times + 1, last_at = excluded.last_at
  `.execute(system);
}

export async function dropErrors(system: Db, before: Date): Promise<void> {
  await system.deleteFrom("client_error").where("last_at", "<", before).execute();
}
