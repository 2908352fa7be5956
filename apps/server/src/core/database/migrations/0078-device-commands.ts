/**
 * Commands to devices and gateways. `device_command` has a row for each device of a request, written before a
 * byte is sent (headend/control) and deleted with the small tables of retention; `command_request` has one a
 * request for a day, with its idempotency key. `control_freeze` is written by staff of the provider,
 * `control_policy` by administrators of a company. `device_status` is the last state that a device has told,
 * a row a device.
 */
export default {
  name: "0078-device-commands",
  up: /* sql */ `
create table device_command (
  id bigint generated always as identity primary key,
  company_id int not null references company,
  task_id int not null,
  -- A device or a gateway: one number space.
  device_id int not null,
  user_id int references users on delete set null,
  key text not null,
  arguments jsonb not null,
  actuates boolean not null,
  switches_off boolean not null,
  state text not null default 'queued' constraint device_command_state
    check (state in ('queued', 'sending', 'done', 'failed', 'expired', 'cancelled', 'unknown')),
  attempts smallint not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  -- The next attempt is not made before.
  next_at bigint not null,
  planned_at bigint,
  sent_at bigint,
  process_id int,
  ended_at bigint,
  result smallint,
  message text not null default '',
  before jsonb,
  after jsonb,
  -- Its state is to be read after an unknown outcome; null: it is not, or was.
  follow_at bigint,
  follow_tries smallint not null default 0
);
-- One at a time a device, whatever the processes do.
create unique index device_command_sending on device_command (device_id) where state = 'sending';
create index device_command_open on device_command (device_id, id) where state in ('queued', 'sending');
create index device_command_follow on device_command (follow_at) where follow_at is not null;
create index device_command_task on device_command (task_id, device_id);
create index device_command_listed on device_command (device_id, id desc);
create index device_command_recent on device_command (company_id, created_at) where actuates;
create table command_request (
  task_id int primary key,
  company_id int not null references company,
  once_key text,
  asked bytea not null,
  stop_after int,
  created_at bigint not null
);
create unique index command_request_once on command_request (company_id, once_key) where once_key is not null;
create table control_freeze (
  id int generated always as identity primary key,
  -- Null: the whole installation.
  frozen_company_id int references company,
  reason text not null,
  user_id int references users on delete set null,
  since bigint not null,
  released_at bigint
);
create unique index control_freeze_active on control_freeze (coalesce(frozen_company_id, 0)) where released_at is null;
create table control_policy (
  company_id int primary key references company,
  asks_second_factor boolean not null
);
create table device_status (
  device_id int primary key references device on delete cascade,
  state jsonb not null default '{}',
  -- When each part was told, epoch seconds by key.
  told_at jsonb not null default '{}'
);
alter table device_task_item add column is_command boolean not null default false;
alter table device_command enable row level security;
alter table device_command force row level security;
alter table command_request enable row level security;
alter table command_request force row level security;
alter table control_freeze enable row level security;
alter table control_freeze force row level security;
alter table control_policy enable row level security;
alter table control_policy force row level security;
alter table device_status enable row level security;
alter table device_status force row level security;
create policy system on device_command to current_user using (true) with check (true);
create policy system on command_request to current_user using (true) with check (true);
create policy system on control_freeze to current_user using (true) with check (true);
create policy system on control_policy to current_user using (true) with check (true);
create policy system on device_status to current_user using (true) with check (true);
create policy own on device_command to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
create policy own on command_request to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
create policy own on control_policy to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
create policy own on device_status to metrum_api
  using (device_id in (select id from device)) with check (device_id in (select id from device));
grant select, insert, update on device_command to metrum_api;
grant select, insert, delete on command_request to metrum_api;
grant select, insert, update on control_policy to metrum_api;
grant select, update, delete on device_status to metrum_api;
`,
};
