/**
 * Metering devices, gateways and base stations are numbered by one sequence, so that a number is unambiguous
 * wherever it stands alone: in readings, journals, commands and logs. Gateways and stations whose number a
 * device has or once had get a new one, and so does a station with the number of a gateway; all references
 * follow, names of lines and the audit log too.
 */
export default {
  name: "0034-one-number-space",
  up: /* sql */ `
create temp table renumbered (kind text not null, old_id int not null, new_id int not null) on commit drop;

do $$
declare
  devices bigint;
  gateways bigint;
  stations bigint;
begin
  select case when is_called then last_value else 0 end into devices from device_id_seq;
  select case when is_called then last_value else 0 end into gateways from gateway_id_seq;
  select case when is_called then last_value else 0 end into stations from base_station_id_seq;
  devices := greatest(devices, (select max(id) from device));
  gateways := greatest(devices, gateways, (select max(id) from gateway));
  -- Numbers are never reused.
  if greatest(gateways, stations) > 0 then
    perform setval('device_id_seq', greatest(gateways, stations, (select max(id) from base_station)));
  end if;
  insert into renumbered
    select 'gateway', id, nextval('device_id_seq') from (select id from gateway where id <= devices order by id) taken;
  insert into renumbered
    select 'base_station', id, nextval('device_id_seq') from (select id from base_station where id <= gateways order by id) taken;
end $$;

alter table device alter constraint device_gateway_id_fkey deferrable;
alter table device alter constraint device_base_station_id_fkey deferrable;
alter table modem_connection alter constraint modem_connection_gateway_id_fkey deferrable;
alter table transparent_port alter constraint transparent_port_gateway_id_fkey deferrable;
set constraints device_gateway_id_fkey, device_base_station_id_fkey, modem_connection_gateway_id_fkey,
  transparent_port_gateway_id_fkey deferred;

update gateway set id = new_id from renumbered where renumbered.kind = 'gateway' and id = old_id;
update device set gateway_id = new_id from renumbered where renumbered.kind = 'gateway' and gateway_id = old_id;
update modem_connection set gateway_id = new_id from renumbered where renumbered.kind = 'gateway' and gateway_id = old_id;
update transparent_port set gateway_id = new_id from renumbered where renumbered.kind = 'gateway' and gateway_id = old_id;
update transparent_port set line = 'modem:' || new_id from renumbered where renumbered.kind = 'gateway' and line = 'modem:' || old_id;
update poll_log set line = 'modem:' || new_id from renumbered where renumbered.kind = 'gateway' and line = 'modem:' || old_id;
update base_station set id = new_id from renumbered where renumbered.kind = 'base_station' and id = old_id;
update device set base_station_id = new_id from renumbered where renumbered.kind = 'base_station' and base_station_id = old_id;
update audit set subject = renumbered.kind || ' ' || new_id from renumbered
  where renumbered.kind = 'gateway' and subject = 'gateway ' || old_id;
-- Processes claim their lines again when they start.
delete from line_holder;

set constraints all immediate;
alter table device alter constraint device_gateway_id_fkey not deferrable;
alter table device alter constraint device_base_station_id_fkey not deferrable;
alter table modem_connection alter constraint modem_connection_gateway_id_fkey not deferrable;
alter table transparent_port alter constraint transparent_port_gateway_id_fkey not deferrable;

alter table gateway alter id drop identity;
alter table gateway alter id set default nextval('device_id_seq');
alter table base_station alter id drop identity;
alter table base_station alter id set default nextval('device_id_seq');
grant usage on sequence device_id_seq to metrum_api;
`,
};
