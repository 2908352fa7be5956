/**
 * Network servers of companies that the platform connects to, downlink orders as rows, and the last failure
 * of a codec.
 */
export default {
  name: "0021-network-servers",
  up: /* sql */ `
create table network_server (
  id int generated always as identity primary key,
  company_id int not null references company on delete cascade,
  kind text not null check (kind in ('things', 'chirpstack', 'actility')),
  name text not null,
  is_active boolean not null default true,
  -- mqtt(s)://host:port of a broker; http(s):// downlink address of ThingPark, empty: none.
  url text not null,
  -- Name of the account; at ThingPark the id of the application server.
  username text not null,
  -- Password, API key or AS key, sealed under the key file for this row; null: none.
  sealed bytea,
  has_secret boolean not null generated always as (sealed is not null) stored,
  -- Incremented with every change, so that the process that holds the connection notices it.
  revision int not null default 1,
  state text not null default 'waiting' check (state in ('waiting', 'connected', 'refused', 'unreachable')),
  state_message text not null default '',
  state_at bigint
);
create index on network_server (company_id);

-- A downlink is a row before it is sent: once, by the process connected to the network server.
create table downlink_order (
  id bigint generated always as identity primary key,
  device_id int not null references device on delete cascade,
  way text not null,
  -- With the prefix of the company; empty if sent by HTTP.
  topic text not null,
  network_server_id int references network_server on delete cascade,
  fport int not null,
  payload bytea not null,
  confirmed boolean not null,
  reference text not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'no_line', 'refused', 'unknown')),
  message text not null default '',
  -- The process that is sending it.
  process_id int,
  created_at bigint not null,
  expires_at bigint not null,
  ended_at bigint
);
create index downlink_order_open on downlink_order (id) where state in ('waiting', 'sending');
create index downlink_order_ended on downlink_order (ended_at) where ended_at is not null;
create index on downlink_order (device_id);
create index on downlink_order (network_server_id);

alter table network_session add network_server_id int references network_server on delete set null;
create index on network_session (network_server_id) where network_server_id is not null;

alter table payload_codec add failed_at bigint;
alter table payload_codec add failed_device_id int references device on delete set null;
alter table payload_codec add failure text;
create index on payload_codec (failed_device_id) where failed_device_id is not null;

do $$
declare name text;
begin
  foreach name in array array['network_server', 'downlink_order'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system on %I to current_user using (true) with check (true)', name);
  end loop;
end $$;
create policy own on network_server to metrum_api
  using (company_id = metrum_company()) with check (company_id = metrum_company());
-- Sealed values are written but never read by the API.
grant select (id, company_id, kind, name, is_active, url, username, has_secret, revision, state, state_message, state_at)
  on network_server to metrum_api;
grant insert, update, delete on network_server to metrum_api;
`,
};
