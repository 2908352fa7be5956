/**
 * Readings and the polls that produced them. Keys start with device_id and contain the time; there is no
 * sequence, trigger, row-level security or foreign key except to the catalogue, so the tables can be
 * distributed by device_id.
 */
export default {
  name: "0003-telemetry",
  up: /* sql */ `
create table field_set (
  id smallint generated always as identity primary key,
  fields text[] not null unique
);

-- Hot tier: one row per message, values in the order of the field set. Offsets are seconds after ts.
-- Partitions by month are created by ingest when a month first gets a row.
create table message (
  ts bigint not null,
  device_id int not null,
  real_ts_offset int,
  received_at_offset int not null,
  msg_type smallint not null,
  field_set_id smallint not null,
  status smallint not null,
  source smallint not null,
  v float8[] not null,
  extra jsonb,
  primary key (device_id, msg_type, ts)
) partition by range (ts);

-- Values of a row before they were replaced, or values refused because the row has a higher rank: nothing is lost silently.
-- replaced_at is in milliseconds; is_refused marks the second kind.
create table message_revision (
  device_id int not null,
  msg_type smallint not null,
  ts bigint not null,
  replaced_at bigint not null,
  field_set_id smallint not null,
  status smallint not null,
  source smallint not null,
  v float8[] not null,
  extra jsonb,
  is_refused boolean not null default false,
  replaced_by int,
  reason text,
  primary key (device_id, msg_type, ts, replaced_at)
);

-- Readings with an implausible time (before 2000, more than 24 h ahead): quarantined, not dropped.
create table message_aside (
  device_id int not null,
  received_at bigint not null,
  msg_type smallint not null,
  ts bigint not null,
  reading jsonb not null,
  primary key (device_id, received_at, msg_type, ts)
);

create table device_latest (
  device_id int not null,
  msg_type smallint not null,
  ts bigint not null,
  received_at bigint not null,
  field_set_id smallint not null,
  status smallint not null,
  source smallint not null,
  v float8[] not null,
  primary key (device_id, msg_type)
) with (fillfactor = 70);

-- One row per device, message type, calendar day of its zone and set of fields with values (so no array has a hole, and
-- two rows of one key can be merged without reading messages). first and last are in the order of the field set; sum,
-- min and max only of its fields that are not counters, in the same order. hours: bit n is set when the nth elapsed hour
-- of the day has data. Suspect and rejected rows do not count.
create table reading_day (
  device_id int not null,
  msg_type smallint not null,
  field_set_id smallint not null,
  day date not null,
  hours int not null,
  n int not null,
  first_ts bigint not null,
  last_ts bigint not null,
  first float8[] not null,
  last float8[] not null,
  sum float8[] not null,
  min float8[] not null,
  max float8[] not null,
  primary key (device_id, msg_type, day, field_set_id)
) with (fillfactor = 80);

-- Spans of readings whose derived rows (profiles, hourly and daily archives) are to be recomputed. A row is leased until
-- leased_until, and deleted unless it was marked again meanwhile. One that failed three times is parked with its error until
-- new readings mark it again.
create table derive_due (
  device_id int primary key,
  from_ts bigint not null,
  to_ts bigint not null,
  marks int not null default 1,
  leased_until bigint not null default 0,
  attempts int not null default 0,
  error text
);

-- Exchange log: one row per poll or uplink, identified by device and start in milliseconds. The steps are the bytes sent and
-- received, secrets masked, size limited. (device_id, received_at) finds the exchange of a message.
create table poll_log (
  device_id int not null,
  started_ms bigint not null,
  received_at bigint,
  kind smallint not null,
  result smallint not null,
  tries smallint not null,
  duration_ms int not null,
  line text not null,
  readings int not null default 0,
  message text not null default '',
  device_task_id int,
  steps jsonb not null,
  primary key (device_id, started_ms)
);

grant select on field_set, message, message_revision, message_aside, device_latest, reading_day, poll_log to metrum_api;
`,
};
