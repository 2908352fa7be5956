/**
 * Readings with an implausible time stamp wait in one table until a user releases or discards them; it is
 * partitioned by month of receipt. Existing ones are moved. Reasons and states: `quarantineReasons`,
 * `quarantineStates` of the contract.
 */
export default {
  name: "0032-quarantine",
  up: /* sql */ `
create table reading_quarantine (
  device_id int not null,
  received_at bigint not null,
  msg_type smallint not null,
  ts bigint not null,
  -- Distinguishes readings of one receipt with the same type and time stamp.
  n smallint not null default 0,
  reason smallint not null,
  source smallint not null,
  state smallint not null default 0,
  decided_at bigint,
  decided_by int,
  -- Values by field, and other data of the reading.
  reading jsonb not null,
  primary key (device_id, received_at, msg_type, ts, n)
) partition by range (received_at);
-- For receipts whose month has no partition, and those before this migration: no reading is refused. The hourly job moves them.
create table reading_quarantine_rest partition of reading_quarantine default;
create index reading_quarantine_waiting on reading_quarantine (device_id, received_at desc) where state = 0;

-- Limits the table: how many readings of a device wait, and how many were only counted because it was full.
create table quarantine_count (
  device_id int primary key,
  waiting int not null default 0,
  not_kept bigint not null default 0
) with (fillfactor = 70);
create index quarantine_count_open on quarantine_count (device_id) where waiting > 0 or not_kept > 0;

insert into reading_quarantine (device_id, received_at, msg_type, ts, reason, source, reading)
  select device_id, received_at, msg_type, ts,
    case when jsonb_typeof(reading -> 'ts') is distinct from 'number' or (reading ->> 'ts')::numeric <> ts then 4
      when ts < 946684800 then 3 else 1 end,
    case reading ->> 'source' when 'polled' then 1 when 'pushed' then 2 when 'imported' then 3 when 'manual' then 4 else 5 end,
    reading - 'ts' - 'source'
  from message_aside;
insert into quarantine_count (device_id, waiting)
  select device_id, count(*) from reading_quarantine group by device_id;
drop table message_aside;

grant select, update (state, decided_at, decided_by) on reading_quarantine to metrum_api;
grant select, update on quarantine_count to metrum_api;
`,
};
