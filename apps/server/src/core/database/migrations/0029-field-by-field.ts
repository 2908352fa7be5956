/**
 * Daily aggregates and latest values by field. There was one daily row for each set of fields that held
 * values, of which a tenant can create any number; now there is one per device, type and day, in the order of
 * the one field set of the device and type. Days are merged exactly from the existing rows; latest values
 * that a newer message had hidden are taken from the messages. The kind of each field (sums are kept of
 * fields that are not counters) is listed here as of this step.
 */
const counters =
  "M_in,V_in,in1,in2,in3,in4,tariff0,tariff1,tariff2,tariff3,tariff4,tariff5,tariff6,tariff_negative0,tariff_negative1," +
  "tariff_negative2,tariff_negative3,tariff_negative4,tariff_negative5,tariff_negative6,tariff_reactive0,tariff_reactive1," +
  "tariff_reactive2,tariff_reactive3,tariff_reactive4,tariff_reactive5,tariff_reactive6,tariff_reactive_negative0," +
  "tariff_reactive_negative1,tariff_reactive_negative2,tariff_reactive_negative3,tariff_reactive_negative4," +
  "tariff_reactive_negative5,tariff_reactive_negative6,working_time";

export default {
  name: "0029-field-by-field",
  up: /* sql */ `
-- The one set of each device and message type: every field it has ever had.
create temp table canonical on commit drop as
  with used as (
    select device_id, msg_type, field_set_id from message
    union select device_id, msg_type, field_set_id from reading_day
    union select device_id, msg_type, field_set_id from device_latest
  )
  select u.device_id, u.msg_type, coalesce(array_agg(distinct f.name collate "C") filter (where f.name is not null), '{}') as fields,
    null::int as set_id
  from used u join field_set s on s.id = u.field_set_id left join lateral unnest(s.fields) f(name) on true
  group by u.device_id, u.msg_type;
insert into field_set (fields) select distinct fields from canonical on conflict (fields) do nothing;
update canonical c set set_id = s.id from field_set s where s.fields = c.fields;
create unique index on canonical (device_id, msg_type);

-- Positions of the fields of each set: among all, and among those that are not counters.
create temp table place on commit drop as
  select s.id as set_id, f.name, f.at::int as at,
    case when not f.name = any(string_to_array('${counters}', ',')) then
      count(*) filter (where not f.name = any(string_to_array('${counters}', ','))) over (partition by s.id order by f.at)
    end::int as moving_at
  from field_set s cross join lateral unnest(s.fields) with ordinality f(name, at);
create unique index on place (set_id, name);
analyze canonical;
analyze place;

-- One row per device, message type and calendar day of its zone, in the order of the set, null where a field has no trusted
-- value. sum, min and max only of its fields that are not counters, in the same order. hours: bit n is set when the nth
-- elapsed hour of the day has data. value_n, value_first_ts, value_last_ts: by field, where they differ from the row in any.
create table reading_day_new (
  device_id int not null,
  msg_type smallint not null,
  field_set_id int not null,
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
  value_n int[],
  value_first_ts bigint[],
  value_last_ts bigint[]
) with (fillfactor = 80);

insert into reading_day_new
  select d.device_id, d.msg_type, c.set_id, d.day, d.hours, d.n, d.first_ts, d.last_ts, d.first, d.last, d.sum, d.min, d.max
  from reading_day d join canonical c on c.device_id = d.device_id and c.msg_type = d.msg_type and c.set_id = d.field_set_id
  where not exists (select from reading_day o where o.device_id = d.device_id and o.msg_type = d.msg_type and o.day = d.day
    and o.field_set_id <> d.field_set_id);

create temp table mixed on commit drop as
  select d.*, c.set_id from reading_day d join canonical c on c.device_id = d.device_id and c.msg_type = d.msg_type
  where d.field_set_id <> c.set_id
    or exists (select from reading_day o where o.device_id = d.device_id and o.msg_type = d.msg_type and o.day = d.day
      and o.field_set_id <> d.field_set_id);

insert into reading_day_new
  with days as (
    select device_id, msg_type, day, set_id, bit_or(hours) as hours, sum(n)::int as n, min(first_ts) as first_ts, max(last_ts) as last_ts
    from mixed group by device_id, msg_type, day, set_id
  ), parts as (
    select m.device_id, m.msg_type, m.day, p.name, sum(m.n)::int as n, min(m.first_ts) as first_ts, max(m.last_ts) as last_ts,
      (array_agg(m.first[p.at] order by m.first_ts))[1] as first, (array_agg(m.last[p.at] order by m.last_ts desc))[1] as last,
      sum(m.sum[p.moving_at]) as sum, min(m.min[p.moving_at]) as min, max(m.max[p.moving_at]) as max
    from mixed m join place p on p.set_id = m.field_set_id
    group by m.device_id, m.msg_type, m.day, p.name
  ), whole as (
    select d.device_id, d.msg_type, d.day, d.set_id, d.hours, d.n, d.first_ts, d.last_ts,
      coalesce(array_agg(p.first order by f.at) filter (where f.at is not null), '{}') as first,
      coalesce(array_agg(p.last order by f.at) filter (where f.at is not null), '{}') as last,
      coalesce(array_agg(p.sum order by f.at) filter (where f.moving_at is not null), '{}') as sum,
      coalesce(array_agg(p.min order by f.at) filter (where f.moving_at is not null), '{}') as min,
      coalesce(array_agg(p.max order by f.at) filter (where f.moving_at is not null), '{}') as max,
      array_agg(p.n order by f.at) as value_n, array_agg(p.first_ts order by f.at) as value_first_ts,
      array_agg(p.last_ts order by f.at) as value_last_ts,
      bool_and(p.n is null or (p.n = d.n and p.first_ts = d.first_ts and p.last_ts = d.last_ts)) as is_uniform
    from days d left join place f on f.set_id = d.set_id
    left join parts p on p.device_id = d.device_id and p.msg_type = d.msg_type and p.day = d.day and p.name = f.name
    group by d.device_id, d.msg_type, d.day, d.set_id, d.hours, d.n, d.first_ts, d.last_ts
  )
  select device_id, msg_type, set_id, day, hours, n, first_ts, last_ts, first, last, sum, min, max,
    case when not is_uniform then value_n end, case when not is_uniform then value_first_ts end,
    case when not is_uniform then value_last_ts end
  from whole;

drop table reading_day;
alter table reading_day_new rename to reading_day;
alter table reading_day add constraint reading_day_pkey primary key (device_id, msg_type, day);
grant select on reading_day to metrum_api;

-- The newest message of a device and type that lacks a field: the field's own newest value is searched.
with found as (
  select l.device_id, l.msg_type, c.set_id,
    coalesce(array_agg(x.value order by f.at) filter (where f.at is not null), '{}') as v,
    jsonb_object_agg(f.name, jsonb_build_object('ts', x.ts, 'status', x.status, 'source', x.source, 'received_at', x.received_at))
      filter (where x.ts <> l.ts) as by_field
  from device_latest l
  join canonical c on c.device_id = l.device_id and c.msg_type = l.msg_type
  left join place f on f.set_id = c.set_id
  left join lateral (
    select m.ts, m.ts + m.received_at_offset as received_at, m.status, m.source, m.v[o.at] as value
    from message m join place o on o.set_id = m.field_set_id and o.name = f.name
    where m.device_id = l.device_id and m.msg_type = l.msg_type and m.ts <= l.ts and m.status <> 4 and m.v[o.at] is not null
    order by m.ts desc limit 1
  ) x on true
  where l.field_set_id <> c.set_id or array_position(l.v, null) is not null
  group by l.device_id, l.msg_type, c.set_id
)
update device_latest l set field_set_id = f.set_id, v = f.v, by_field = f.by_field
from found f where f.device_id = l.device_id and f.msg_type = l.msg_type;
`,
};
