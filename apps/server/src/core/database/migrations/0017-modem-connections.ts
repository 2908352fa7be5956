/**
 * Modem connections of all processes, the ports they dial in to, polls by platform staff, and device names in
 * quarantine.
 */
export default {
  name: "0017-modem-connections",
  up: /* sql */ `
-- Ports for modems that dial in, while the process that has opened them is alive.
create table modem_port (
  port int not null,
  process_id int not null,
  profile text not null,
  primary key (port, process_id)
);

-- A modem on a port: its current or last connection. Written by the process that holds the connection.
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
  -- Null: not registered, listed in the inbox.
  gateway_id int references gateway on delete set null,
  -- Metadata reported by the modem.
  modem_type text,
  rssi smallint,
  -- The device behind it that answered the last poll by platform staff.
  end_device_type text,
  end_device_version text,
  end_device_model_id int,
  primary key (port, identity)
);
create index on modem_connection (process_id) where process_id is not null;
create index on modem_connection (identity);
create index modem_connection_unknown on modem_connection (port, last_at) where gateway_id is null;

-- A pending poll by platform staff; deleted when it has been answered.
create unlogged table modem_poll (
  id bigint generated always as identity primary key,
  port int not null,
  identity text not null,
  asked_at bigint not null,
  answer jsonb
);

-- Network id of the device of a message in quarantine, if known.
alter table uplink_aside add column network_id text;
create index uplink_aside_named on uplink_aside (company_id, network_id) where network_id is not null;
`,
};
