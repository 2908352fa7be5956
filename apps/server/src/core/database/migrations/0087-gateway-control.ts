/**
 * Gateways are controlled like devices: `gateway_status` is the last state that one has told, a row a gateway;
 * `control_port` is the TCP port of its control where it is not that of its model.
 */
export default {
  name: "0087-gateway-control",
  up: /* sql */ `
alter table gateway add column control_port int check (control_port between 1 and 65535);
create table gateway_status (
  gateway_id int primary key references gateway on delete cascade,
  state jsonb not null default '{}',
  -- When each part was told, epoch seconds by key.
  told_at jsonb not null default '{}'
);
alter table gateway_status enable row level security;
alter table gateway_status force row level security;
create policy system on gateway_status to current_user using (true) with check (true);
create policy own on gateway_status to metrum_api
  using (gateway_id in (select id from gateway)) with check (gateway_id in (select id from gateway));
grant select on gateway_status to metrum_api;
`,
};
