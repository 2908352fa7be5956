/**
 * Transparent ports to the lines of meters and gateways, and mappings for messages of companies' own MQTT
 * publishers.
 */
export default {
  name: "0019-bridge",
  up: /* sql */ `
create table transparent_port (
  id int generated always as identity primary key,
  company_id int not null references company on delete cascade,
  device_id int references device on delete cascade,
  gateway_id int references gateway on delete cascade,
  user_id int not null references users on delete cascade,
  impersonator_id int references users on delete set null,
  -- No reference: the port outlives the session until it is closed.
  session_id int not null,
  -- The only address that may connect.
  address text not null,
  line text not null,
  -- The process that holds the line and serves the port.
  process_id int not null,
  state text not null default 'asked' check (state in ('asked', 'open', 'closed')),
  port int,
  asked_at bigint not null,
  opened_at bigint,
  -- The latest time at which it closes; of a closed one, the time when it closed.
  ends_at bigint not null,
  bytes_sent bigint not null default 0,
  bytes_received bigint not null default 0,
  ended_by text,
  -- Bytes that passed through the port of a gateway; those of a device are in its poll log.
  steps jsonb,
  check (num_nonnulls(device_id, gateway_id) = 1)
);
-- One open port per line.
create unique index transparent_port_line on transparent_port (line) where state <> 'closed';
create index transparent_port_of_process on transparent_port (process_id) where state <> 'closed';
create index on transparent_port (company_id, id);
create index on transparent_port (device_id);
create index on transparent_port (gateway_id);

-- Mappings for messages of a company's own publishers: the places of device, values and time.
create table mqtt_mapping (
  id int generated always as identity primary key,
  company_id int not null references company on delete cascade,
  name text not null,
  topic text not null,
  is_active boolean not null default true,
  definition jsonb not null,
  created_at timestamptz not null default now(),
  unique (company_id, topic)
);

do $$
declare name text;
begin
  foreach name in array array['transparent_port', 'mqtt_mapping'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system on %I to current_user using (true) with check (true)', name);
    execute format('create policy own on %I to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company())', name);
  end loop;
end $$;
grant select, insert, update on transparent_port to metrum_api;
grant select on process to metrum_api;
grant select, insert, update, delete on mqtt_mapping to metrum_api;
`,
};
