/**
 * Transactions of a company that tie and untie devices take turns by one lock, no longer by one a device: a transaction
 * that takes ten thousand ties away, as the undo of an import does, filled the lock table of the database.
 */
export default {
  name: "0107-tie-locks",
  up: /* sql */ `
create or replace function note_dependent(device int) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7301093, d.company_id) from device d where d.id = note_dependent.device;
  if exists (select from point_device p where p.device_id = note_dependent.device) then
    insert into device_dependent (device_id, kind) values (note_dependent.device, 1) on conflict do nothing;
  else
    delete from device_dependent p where p.device_id = note_dependent.device and p.kind = 1;
  end if;
end $$;
`,
};
