import pg from "pg";
import type { TestApi } from "../api.ts";

/** A row of a company that was inserted, deleted or changed. */
export interface Change {
  readonly table: string;
  readonly company: number;
  /** Devices and accounting points that such rows are or name. */
  readonly devices: readonly number[];
  readonly points: readonly number[];
}

export interface Changes {
  /** The changes that were committed since the last call, each table and company once. */
  readonly take: () => Promise<Change[]>;
  readonly close: () => Promise<void>;
}

/** The column that names the company of a row, by table: its own, that of its device, or its key. */
const companyColumns = `
  select table_name as name, min(column_name) as "column" from information_schema.columns join pg_class on relname = table_name
  where table_schema = current_schema() and relnamespace = current_schema()::regnamespace and not relispartition
    and column_name in ('company_id', 'device_id') and relkind in ('r', 'p') group by 1
  union all select 'company', 'id'`;

/** Triggers run with the rights of their owner: whoever changes the row need not see the notes. */
const notes = `
  create table noted_change (name text not null, company_id int not null, device int, point int);
  create function key_of_row(row_of jsonb, name text, root text) returns int language sql immutable as $$
    select case when name = root then (row_of ->> 'id')::int
      -- Their device_id is the number that they call themselves.
      when name in ('gateway', 'base_station') then null
      else (row_of ->> case root when 'device' then 'device_id' else 'point_id' end)::int end $$;
  create function company_of_row(row_of jsonb, company_column text) returns int language sql stable
    security definer set search_path = public as $$
      select case company_column when 'device_id'
        then (select company_id from device where id = (row_of ->> 'device_id')::int)
        else (row_of ->> company_column)::int end $$;
  create function note_change() returns trigger language plpgsql
    security definer set search_path = public as $$
    begin
      if tg_op <> 'UPDATE' or old *<> new then
        insert into noted_change
          select distinct tg_argv[0], company_of_row(r, tg_argv[1]), key_of_row(r, tg_argv[0], 'device'),
            key_of_row(r, tg_argv[0], 'accounting_point')
          from (values (to_jsonb(old)), (to_jsonb(new))) as of_row (r) where company_of_row(r, tg_argv[1]) is not null;
      end if;
      return null;
    end $$;`;

/**
 * Notes from now on every changed row that belongs to a company: in tables with a company, telemetry by device,
 * and the companies themselves. The tables are read from the database, so that a new one is covered
 * automatically. The caller must close it.
 */
export async function watchChanges({ database }: Pick<TestApi, "database">): Promise<Changes> {
  const client = new pg.Client({ ...database.superuser });
  await client.connect();
  const { rows } = await client.query<{ name: string; column: string }>(companyColumns);
  await client.query(notes);
  for (const { name, column } of rows)
    await client.query(
      `create trigger note_change after insert or update or delete on "${name}"
        for each row execute function note_change('${name}', '${column}')`,
    );
  return {
    async take() {
      const { rows: changed } = await client.query<Change>(
        `with taken as (delete from noted_change returning *)
          select name as table, company_id as company,
            coalesce(array_agg(distinct device) filter (where device is not null), '{}') as devices,
            coalesce(array_agg(distinct point) filter (where point is not null), '{}') as points
          from taken group by 1, 2 order by 1, 2`,
      );
      return changed;
    },
    close: () => client.end(),
  };
}

/** Names of the changed tables of these companies, as `table of company`. */
export const changesOf = (
  changes: readonly Change[],
  companies: readonly number[],
  except: readonly string[] = [],
): string[] =>
  changes
    .filter(({ table, company }) => companies.includes(company) && !except.includes(table))
    .map(({ table, company }) => `${table} of ${String(company)}`);
