/**
 * Devices of a company with one of these numbers, in lower case, outside the trash. Under its policy the API cannot use
 * the index: lower() is not leakproof, so that every look-up read all numbers of the company. So it runs as the owner,
 * with its own condition on the company of the session; only the system may ask for any.
 */
export default {
  name: "0108-numbered-devices",
  up: /* sql */ `
-- plpgsql keeps the plan of a session; an SQL function would be planned at every call.
create function device_numbered(company int, numbers text[]) returns setof int
  language plpgsql stable parallel safe security definer set search_path = public, pg_temp rows 1
  as $$ begin
    return query select d.id from device d where lower(d."deviceID") = any(numbers) and d.deleted_at is null
      and d.company_id = company and (company = metrum_company() or current_setting('role') = 'none');
  end $$;
revoke execute on function device_numbered from public;
grant execute on function device_numbered to metrum_api;
`,
};
