/**
 * Modem connections of all processes, the ports they dial in to, polls by platform staff, and device names in
 * quarantine.
 */
export default {
  name: "0017-modem-connections",
  up: /* sql */ `
-- Ports on which modems dial in, for as long as the process lives that has opened them.
create table modem_port (
  port int not null,
  process_id int not null,
  profile text not null,
  primary key (port, process_id)
);

-- A modem on a port: its connection now, or the last one it had. Written by the process that holds the connection.
create table modem_connection (
  port int not null,
  identity text not null,
  profile text not null,
  state text not null check (state in ('live', 'waiting', 'unknown')),
  is_online boolean not null,
  process_id int,
  ip_address text not null,
  connected_at bigint not null,
  last_at bigint not null,
  -- Null: nobody has registered it, it waits in the inbox.
  gateway_id int references gateway on delete set null,
  -- What the modem has said of itself.
  modem_type text,
  rssi smallint,
  -- What answered the last poll of platform staff behind it.
  end_device_type text,
  end_device_version text,
  end_device_model_id int,
  primary key (port, identity)
);
create index on modem_connection (process_id) where process_id is not null;
create index on modem_connection (identity);
create index modem_connection_unknown on modem_connection (port, last_at) where gateway_id is null;

-- A poll that platform staff wait for; gone when it was answered.
create unlogged table modem_poll (
  id bigint generated always as identity primary key,
  port int not null,
  identity text not null,
  asked_at bigint not null,
  answer jsonb
);

-- Name of the device in a network that a message of the quarantine speaks of, where it is known.
alter table uplink_aside add column network_id text;
create index uplink_aside_named on uplink_aside (company_id, network_id) where network_id is not null;
`,
};
