/**
 * Days of many points in one text each. Days are stored as time makes them, so a day of all points lies on a few pages
 * and a month of one point on thirty: read in the order of an index, each page is visited once a point, and 31,000 rows
 * take twice as long as page by page. No estimate of the planner knows that, hence the setting of the function.
 */
export default {
  name: "0122-packed-days",
  up: /* sql */ `
-- '0:12.5 1:13 2:4:3600:…': the number of the day since first_day and its amount, and of days that are not whole, or
-- have more to tell, all else as well. Days in no order; a point without a row is absent.
create function packed_days(points int[], first_day date, last_day date)
  returns table (point_id int, days text) language sql stable parallel safe
  set enable_indexscan = off
  as $$
    select d.point_id, string_agg(
      case when known_sec >= length_sec and flags = 0 and estimated = 0 and gap_amount is null and amount is not null
        then concat_ws(':', day - first_day, amount)
        else concat_ws(':', day - first_day, coalesce(amount::text, ''), greatest(0, length_sec - known_sec),
          coalesce(gap_amount::text, ''), coalesce(gap_day - first_day, 0), coalesce(gap_sec, 0), estimated,
          gap_estimated, flags) end, ' ')
    from point_day d
    where d.point_id = any(points) and field = 'main' and day between first_day and last_day
    group by d.point_id
  $$;
`,
};
