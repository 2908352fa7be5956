/**
 * A change of the contract power, the consumer or the supplier of a point has its devices judged by validation, over
 * the last month and the open exceptions about the point; so has a change of the registered number of a device. Kind 3
 * of reading_due is validation, see `dueKinds`.
 */
export default {
  name: "0154-terms-judged",
  up: /* sql */ `
create function validate_devices(ids int[]) returns void language sql as $$
  insert into reading_due as d (kind, device_id, from_ts, to_ts)
    select x.kind, x.device_id, coalesce(least(now_ts - 31 * 86400, min(e.from_ts)), now_ts - 31 * 86400), now_ts
    from (select extract(epoch from clock_timestamp())::int8) as n(now_ts)
    cross join device_dependent x
    left join validation_exception e on e.device_id = x.device_id and e.outcome is null
      and e.kind in ('contract_power', 'no_consumer', 'foreign_serial')
    where x.kind = 3 and x.device_id = any(ids)
    group by x.kind, x.device_id, now_ts
    order by x.device_id
  on conflict (kind, device_id) do update set from_ts = least(d.from_ts, excluded.from_ts),
    to_ts = greatest(d.to_ts, excluded.to_ts), due_at = 0, marks = d.marks + 1, leased_until = 0, attempts = 0, error = null;
$$;

revoke execute on function validate_devices from public;

create function point_terms_judged() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform validate_devices(array(
    select distinct p.device_id from point_device p join changed c on c.point_id = p.point_id
    where c.kind in ('contract_power', 'consumer', 'supplier')));
  return null;
end $$;
create trigger point_term_added after insert on point_term
  referencing new table as changed for each statement execute function point_terms_judged();
create trigger point_term_ended after update on point_term
  referencing new table as changed for each statement execute function point_terms_judged();
create trigger point_term_removed after delete on point_term
  referencing old table as changed for each statement execute function point_terms_judged();

create function device_number_judged() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform validate_devices(array[new.id]);
  return null;
end $$;
create trigger device_number_changed after update of "deviceID" on device
  for each row when (old."deviceID" is distinct from new."deviceID") execute function device_number_judged();
`,
};
