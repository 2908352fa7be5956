/**
 * Marked points are leased by the time of their last mark: one that a user changes now does not wait for the thousands of
 * an import before it.
 */
export default {
  name: "0125-newest-points-first",
  up: /* sql */ `
create or replace function mark_point(id int, from_ts bigint, to_ts bigint, wait_sec int default 0) returns void
    language sql security definer set search_path = public, pg_temp as $$
  insert into point_due as d (point_id, from_ts, to_ts, again_at, again_from)
    values (id, from_ts, coalesce(to_ts, 253402300799),
      case when wait_sec = 0 then 0 else extract(epoch from clock_timestamp())::bigint + wait_sec end, from_ts)
    on conflict (point_id) do update set from_ts = least(d.from_ts, excluded.from_ts),
      to_ts = greatest(d.to_ts, excluded.to_ts), marks = d.marks + 1, due_at = 0,
      marked_at = excluded.marked_at,
      again_at = greatest(d.again_at, excluded.again_at),
      again_from = case when excluded.again_at = 0 then d.again_from when d.again_at = 0 then excluded.again_from
        else least(d.again_from, excluded.again_from) end, leased_until = 0, attempts = 0, error = null
$$;

create index point_due_by_time on point_due (due_at, marked_at);
`,
};
