/**
 * Revisions have their own number within key and millisecond, so that none is lost, and are partitioned by
 * the month in which they were replaced, so that old ones are dropped as whole tables. received_at and
 * by_field hold the origin of the replaced values.
 */
export default {
  name: "0030-revision-numbers",
  up: /* sql */ `
alter table message_revision rename to message_revision_old;
alter table message_revision_old rename constraint message_revision_pkey to message_revision_old_pkey;

create table message_revision (
  device_id int not null,
  msg_type smallint not null,
  ts bigint not null,
  replaced_at bigint not null,
  revision int not null,
  field_set_id int not null,
  status smallint not null,
  source smallint not null,
  -- Null where it was not recorded yet.
  received_at bigint,
  v float8[] not null,
  by_field jsonb,
  extra jsonb,
  is_refused boolean not null default false,
  replaced_by int,
  reason text,
  primary key (device_id, msg_type, ts, replaced_at, revision)
) partition by range (replaced_at);

do $$
declare
  month timestamptz;
begin
  for month in
    select distinct date_trunc('month', to_timestamp(replaced_at / 1000.0), 'UTC') from message_revision_old order by 1
  loop
    execute format('create table %I (like message_revision including defaults including constraints)',
      'message_revision_' || to_char(month at time zone 'UTC', 'YYYY_MM'));
    execute format('alter table message_revision attach partition %I for values from (%s) to (%s)',
      'message_revision_' || to_char(month at time zone 'UTC', 'YYYY_MM'),
      (extract(epoch from month) * 1000)::bigint,
      (extract(epoch from (month at time zone 'UTC' + interval '1 month') at time zone 'UTC') * 1000)::bigint);
  end loop;
end $$;

insert into message_revision (device_id, msg_type, ts, replaced_at, revision, field_set_id, status, source, v, extra, is_refused, replaced_by, reason)
  select device_id, msg_type, ts, replaced_at, 1, field_set_id, status, source, v, extra, is_refused, replaced_by, reason
  from message_revision_old;
drop table message_revision_old;
grant select on message_revision to metrum_api;
`,
};
