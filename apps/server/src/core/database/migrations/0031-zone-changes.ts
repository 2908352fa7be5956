/**
 * Marks devices whose daily aggregates must be recomputed because their zone has changed, in the transaction
 * of the change. Recomputing starts a minute later: a process caches device data for up to half a minute and
 * may until then store readings by the days of the old zone.
 */
export default {
  name: "0031-zone-changes",
  up: /* sql */ `
create table zone_due (
  device_id int primary key,
  due_at bigint not null,
  -- Days before it are already counted in the new zone.
  next_day date,
  attempts smallint not null default 0,
  error text
);

create function mark_zone_due(ids int[]) returns void language sql as $$
  insert into zone_due (device_id, due_at)
    select id, extract(epoch from clock_timestamp())::bigint + 60 from unnest(ids) as k(id) order by id
    on conflict (device_id) do update set due_at = excluded.due_at, next_day = null, attempts = 0, error = null
$$;

create function note_company_zone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_zone_due(array(select id from device where company_id = new.id and timezone is null));
  return null;
end $$;
create trigger note_zone after update of timezone on company for each row
  when (old.timezone is distinct from new.timezone) execute function note_company_zone();

create function note_device_zone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if coalesce(old.timezone, (select timezone from company where id = old.company_id))
      is distinct from coalesce(new.timezone, (select timezone from company where id = new.company_id)) then
    perform mark_zone_due(array[new.id]);
  end if;
  return null;
end $$;
create trigger note_zone after update of timezone, company_id on device for each row
  when (old.timezone is distinct from new.timezone or old.company_id <> new.company_id) execute function note_device_zone();
`,
};
