/** How far the archives of devices were requested, and the earliest time of the next try. */
export default {
  name: "0020-archives",
  up: /* sql */ `
create table archive_state (
  device_id int not null references device on delete cascade,
  msg_type smallint not null,
  -- Slots before it were read, or the meter does not have them: they are not requested again. Epoch seconds UTC.
  asked_to bigint not null default 0,
  retry_at bigint not null default 0,
  failures smallint not null default 0,
  primary key (device_id, msg_type)
);
alter table archive_state enable row level security;
alter table archive_state force row level security;
create policy system on archive_state to current_user using (true) with check (true);
`,
};
