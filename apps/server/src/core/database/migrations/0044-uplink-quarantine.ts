/**
 * Messages in quarantine are partitioned by month of receipt, so that they expire by the policy of the
 * company as quarantined readings do. Existing rows go into the default partition, which the hourly job
 * empties.
 */
export default {
  name: "0044-uplink-quarantine",
  up: /* sql */ `
alter table uplink_aside rename to uplink_aside_old;
alter table uplink_aside_old rename constraint uplink_aside_pkey to uplink_aside_old_pkey;
alter index uplink_aside_named rename to uplink_aside_old_named;
alter sequence uplink_aside_id_seq rename to uplink_aside_old_id_seq;
create table uplink_aside (
  company_id int not null,
  id bigint generated always as identity,
  received_at bigint not null,
  topic text not null,
  payload bytea not null,
  reason text not null,
  network_id text,
  primary key (company_id, received_at, id)
) partition by range (received_at);
create table uplink_aside_rest partition of uplink_aside default;
create index uplink_aside_named on uplink_aside (company_id, network_id) where network_id is not null;

insert into uplink_aside (company_id, id, received_at, topic, payload, reason, network_id) overriding system value
  select company_id, id, received_at, topic, payload, reason, network_id from uplink_aside_old;
do $$
begin
  perform setval('uplink_aside_id_seq', last_value, is_called) from uplink_aside_old_id_seq;
end $$;
drop table uplink_aside_old;

alter table uplink_aside enable row level security;
alter table uplink_aside force row level security;
create policy system on uplink_aside to current_user using (true) with check (true);
create policy own on uplink_aside to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
`,
};
