/**
 * The time between two meters that nobody counted is not expected: a tie tells it of the days on both its sides, from the
 * end of the tie before to the beginning of the next.
 */
export default {
  name: "0130-unmetered-time",
  up: /* sql */ `
create function mark_tie(tie point_device, wait_sec int) returns void
    language sql security definer set search_path = public, pg_temp as $$
  select mark_point(tie.point_id,
    coalesce((select max(to_ts) from point_device where point_id = tie.point_id and to_ts <= tie.from_ts), tie.from_ts),
    coalesce((select min(from_ts) from point_device where point_id = tie.point_id and from_ts >= tie.to_ts), tie.to_ts),
    wait_sec)
$$;

create or replace function note_point_device() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
declare forever constant bigint := 253402300799;
begin
  if tg_op = 'UPDATE' and (old.point_id, old.device_id, old.field, old.from_ts)
      = (new.point_id, new.device_id, new.field, new.from_ts) then
    if old.opening <> new.opening then
      perform mark_point(new.point_id, new.from_ts, new.from_ts);
    end if;
    if old.to_ts is distinct from new.to_ts or old.closing <> new.closing then
      perform mark_point(new.point_id, least(coalesce(old.to_ts, forever), coalesce(new.to_ts, forever)),
        greatest(coalesce(old.to_ts, forever), coalesce(new.to_ts, forever)));
    end if;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    perform mark_tie(old, 0);
    perform note_dependent(old.device_id);
  end if;
  if tg_op <> 'DELETE' then
    perform mark_tie(new, 60);
    perform note_dependent(new.device_id);
  end if;
  return null;
end $$;

select mark_point(point_id, left_at, came_at) from (
  select point_id, lag(to_ts) over (partition by point_id order by from_ts) as left_at, from_ts as came_at
  from point_device
) pair where left_at < came_at;
`,
};
