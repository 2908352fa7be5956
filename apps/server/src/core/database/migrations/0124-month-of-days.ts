/**
 * Days of the main register in one text a month. A balance reads a month of a thousand points: as days these are 31,000
 * rows, each on another page once many points are computed side by side, as months a thousand. Written by triggers alone,
 * in the transaction of the days; a point removed takes its months with it.
 */
export default {
  name: "0124-month-of-days",
  up: /* sql */ `
create table point_month (
  point_id int not null references accounting_point on delete cascade,
  -- Its first day.
  month date not null,
  -- packed_month
  days text not null,
  primary key (point_id, month)
) with (fillfactor = 80);
grant select on point_month to metrum_api;

-- '2:12.5', days since the first of the month and the amount; of a day that is not whole, or has more to tell, all else
-- as well: '2:4:3600:…'.
create function packed_day(d point_day, first_day date) returns text language sql stable parallel safe as $$
  select case when d.known_sec >= d.length_sec and d.flags = 0 and d.estimated = 0 and d.gap_amount is null
      and d.amount is not null
    then concat_ws(':', d.day - first_day, d.amount)
    else concat_ws(':', d.day - first_day, coalesce(d.amount::text, ''), greatest(0, d.length_sec - d.known_sec),
      coalesce(d.gap_amount::text, ''), coalesce(d.gap_day - first_day, 0), coalesce(d.gap_sec, 0), d.estimated,
      d.gap_estimated, d.flags) end
$$;
-- Null: no day.
create function packed_month(point int, first_day date) returns text language sql stable parallel safe as $$
  select string_agg(packed_day(d, first_day), ' ' order by d.day) from point_day d
  where d.point_id = point and d.field = 'main' and d.day >= first_day and d.day < (first_day + interval '1 month')::date
$$;

-- Statement level: once for a batch of days. Who changes days of a point holds its lock, so that none reads a month
-- whose other days are being changed.
create function pack_months() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  with made as materialized (
    select point_id, month, packed_month(point_id, month) as days from (
      select distinct point_id, date_trunc('month', day)::date as month from changed where field = 'main'
    ) k
  ), gone as (
    delete from point_month m using made k where k.days is null and m.point_id = k.point_id and m.month = k.month
  )
  insert into point_month as m (point_id, month, days)
    select point_id, month, days from made where days is not null order by point_id, month
    on conflict (point_id, month) do update set days = excluded.days where m.days <> excluded.days;
  return null;
end $$;
create trigger month_of_days_inserted after insert on point_day referencing new table as changed
  for each statement execute function pack_months();
create trigger month_of_days_updated after update on point_day referencing new table as changed
  for each statement execute function pack_months();
create trigger month_of_days_deleted after delete on point_day referencing old table as changed
  for each statement execute function pack_months();

insert into point_month (point_id, month, days)
  select d.point_id, k.month, string_agg(packed_day(d, k.month), ' ' order by d.day)
  from point_day d cross join lateral (select date_trunc('month', d.day)::date as month) k
  where d.field = 'main' group by d.point_id, k.month;
drop function packed_days(int[], date, date);
`,
};
