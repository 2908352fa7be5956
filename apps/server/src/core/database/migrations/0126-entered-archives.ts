/**
 * Archives that a person has entered count before what was measured at their instant: days of points that were computed
 * without them are computed again.
 */
export default {
  name: "0126-entered-archives",
  up: /* sql */ `
select mark_point(t.point_id, min(m.ts), max(m.ts))
  from audit a
  join point_device t on a.subject = 'device ' || t.device_id
  join message m on m.device_id = t.device_id and m.msg_type in (100, 101)
    and m.ts = case jsonb_typeof(a.after -> 'datetime') when 'number' then (a.after ->> 'datetime')::numeric::bigint end
  where a.action = 'reading.enter'
    and t.from_ts <= m.ts and (t.to_ts is null or t.to_ts >= m.ts)
  group by t.point_id
  order by t.point_id;
`,
};
