import type pg from "pg";

/** Extensions of the schema; all of them may be made by a login with the right CREATE on its database. */
const extensions = ["ltree", "citext", "pg_trgm", "btree_gin", "btree_gist"] as const;

/** What the login of this connection may do in its database, as far as Metrum needs it. */
export interface Rights {
  readonly login: string;
  readonly database: string;
  /** Null: no schema of its search path exists. */
  readonly schema: string | null;
  readonly createsInDatabase: boolean;
  readonly createsInSchema: boolean;
  readonly createsRoles: boolean;
  readonly hasApiRole: boolean;
  /** May act under the role of API transactions, or grant it to itself. */
  readonly usesApiRole: boolean;
  readonly hasJobSchema: boolean;
  /** Extensions that are not in this database yet. */
  readonly missing: readonly {
    readonly name: string;
    readonly isInstalled: boolean;
    readonly isTrusted: boolean;
  }[];
  readonly isSuperuser: boolean;
}

export async function rightsOf(client: Pick<pg.Pool, "query">): Promise<Rights> {
  const { rows } = await client.query<Rights>(
    `select current_user::text as login, current_database()::text as database, current_schema()::text as schema,
      has_database_privilege(current_database(), 'create') as "createsInDatabase",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "createsInSchema",
      own.rolcreaterole or own.rolsuper as "createsRoles", own.rolsuper as "isSuperuser",
      api.oid is not null as "hasApiRole",
      coalesce(pg_has_role(api.oid, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)
        or pg_has_role(api.oid, 'MEMBER WITH ADMIN OPTION'), false) as "usesApiRole",
      to_regnamespace('graphile_worker') is not null as "hasJobSchema",
      (select coalesce(json_agg(json_build_object('name', name,
          'isInstalled', exists (select from pg_available_extensions a where a.name = wanted.name),
          'isTrusted', exists (select from pg_available_extension_versions v where v.name = wanted.name and v.trusted))), '[]')
        from unnest($1::text[]) as wanted (name)
        where not exists (select from pg_extension where extname = wanted.name)) as missing
    from pg_roles own left join pg_roles api on api.rolname = 'metrum_api' where own.rolname = current_user`,
    [[...extensions]],
  );
  const [found] = rows;
  if (!found) throw new Error("the rights of the login are unknown");
  return found;
}
