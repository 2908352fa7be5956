/**
 * Journals of meters get their own table: readings have one row a second, a meter can log several events
 * in one. Rows of message type 7 are moved, including events replaced by another one of the same second,
 * which are in the revisions.
 */
export default {
  name: "0036-journals",
  up: /* sql */ `
-- An event is identified by its content: journal, code, digest of its parameters (0: none), and the number of its record;
-- if the meter has none, its index among equal events of its second. So reading a journal again adds nothing, in any
-- order and from any position. ts: epoch seconds UTC; the offset of the receipt is in seconds after it.
create table journal_event (
  device_id int not null,
  ts bigint not null,
  journal smallint not null,
  code int not null,
  digest bigint not null,
  record bigint not null,
  real_ts_offset int,
  received_at_offset int not null,
  status smallint not null,
  source smallint not null,
  params jsonb,
  primary key (device_id, ts, journal, code, digest, record)
) partition by range (ts);
grant select on journal_event to metrum_api;

create temp table moved_event on commit drop as
  select device_id, ts, real_ts_offset, received_at_offset, status, source, field_set_id, v from message where msg_type = 7
  union all
  select device_id, ts, null, coalesce(received_at, replaced_at / 1000) - ts, status, source, field_set_id, v
  from message_revision where msg_type = 7;

do $$
declare begins timestamp;
begin
  for begins in select distinct date_trunc('month', to_timestamp(ts) at time zone 'UTC') from moved_event loop
    execute format('create table %I partition of journal_event for values from (%s) to (%s)',
      'journal_event_' || to_char(begins, 'YYYY_MM'), extract(epoch from begins)::bigint,
      extract(epoch from begins + interval '1 month')::bigint);
  end loop;
end $$;

insert into journal_event (device_id, ts, journal, code, digest, record, real_ts_offset, received_at_offset, status, source, params)
  select e.device_id, e.ts, coalesce(s.status_code::int / 1000, -1), coalesce(s.status_code::int % 1000, -1),
    coalesce(('x' || left(md5(s.said), 16))::bit(64)::bigint, 0), 0, e.real_ts_offset,
    greatest(-2147483648, least(2147483647, e.received_at_offset))::int, e.status, e.source, s.params
  from moved_event e join field_set f on f.id = e.field_set_id
  cross join lateral (
    select max(value) filter (where is_code) as status_code,
      string_agg(name || '=' || value, ',' order by name collate "C") filter (where not is_code) as said,
      jsonb_object_agg(name, value) filter (where not is_code) as params
    from (
      select name, value, name = 'status_code' and value >= 0 and value < 32768000 and value = trunc(value) as is_code
      from unnest(f.fields, e.v) as u (name, value) where value is not null
    ) known
  ) s
  where s.status_code is not null or s.params is not null
  on conflict do nothing;

delete from message where msg_type = 7;
delete from message_revision where msg_type = 7;
delete from device_latest where msg_type = 7;
delete from reading_day where msg_type = 7;
`,
};
