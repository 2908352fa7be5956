/** Network server and frame counter of a device; orders waiting for the process with the broker. */
export default {
  name: "0018-network-sessions",
  up: /* sql */ `
create table network_session (
  device_id int primary key references device on delete cascade,
  way text not null,
  application text not null,
  -- Topic of its downlinks, below the prefix of the company; empty if it has never been received by MQTT.
  topic text not null,
  dev_addr text not null,
  -- Null after a join: the next frame has number 0.
  last_fcnt bigint check (last_fcnt between 0 and 4294967295),
  last_heard_at bigint not null
) with (fillfactor = 70);

alter table network_session enable row level security;
alter table network_session force row level security;
create policy system on network_session to current_user using (true) with check (true);
create policy own on network_session to metrum_api
  using (exists (select from device d where d.id = device_id and d.company_id = metrum_company()));
grant select on network_session to metrum_api;
`,
};
