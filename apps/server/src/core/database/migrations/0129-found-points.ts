/**
 * Accounting points of the session's company that a search finds: by their own text, or by the name or number of the
 * device that measures them at a moment, also of one in the trash. It runs as the owner, see device_found, with its own
 * conditions on the company. Both statements are planned with their values: the ties of many devices are joined at once,
 * those of a few by point_device_of_device.
 */
export default {
  name: "0129-found-points",
  up: /* sql */ `
create function point_found(wanted text, at bigint) returns setof int
  language plpgsql stable parallel safe security definer set search_path = public, pg_temp rows 500
  as $$
  declare devices int[];
  begin
    execute '
      select array(
        select id from device where company_id = $1 and deleted_at is null and search like $2
          and (lower(name) like $2 or lower("deviceID") like $2)
        union all
        select id from device where company_id = $1 and deleted_at is not null
          and (lower(name) like $2 or lower("deviceID") like $2))' into devices using metrum_company(), wanted;
    return query execute '
      select id from accounting_point where company_id = $1 and search like $2
      union all
      select pd.point_id from unnest($3) as found (id) join point_device pd on pd.device_id = found.id
      where pd.from_ts <= $4 and (pd.to_ts is null or pd.to_ts > $4)' using metrum_company(), wanted, devices, at;
  end $$;
revoke execute on function point_found from public;
grant execute on function point_found to metrum_api;
`,
};
