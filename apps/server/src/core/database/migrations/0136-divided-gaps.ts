/**
 * A company may have gaps over an end of a month divided evenly from a day on: points whose days this changes are computed
 * again when it decides so.
 */
export default {
  name: "0136-divided-gaps",
  up: /* sql */ `
create function note_divided_gaps() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_point(g.point_id, g.from_ts, g.to_ts) from (
    select d.point_id,
      min(coalesce(d.gap_from, extract(epoch from d.day::timestamp at time zone p.timezone)::bigint)) as from_ts,
      max(extract(epoch from (d.day + 1)::timestamp at time zone p.timezone)::bigint) as to_ts
    from accounting_point p join point_day d on d.point_id = p.id
    where p.company_id = new.id
      and (date_trunc('month', d.gap_day) <> date_trunc('month', d.day) or d.flags & 128 <> 0)
    group by d.point_id order by d.point_id
  ) g;
  return null;
end $$;
create trigger note_divided_gaps after update of options on company for each row
  when (old.options -> 'divides_gaps_from' is distinct from new.options -> 'divides_gaps_from')
  execute function note_divided_gaps();

comment on column point_day.flags is 'Bits: 1 replaced, 2 ratio changed, 4 rollover, 8 reset, 16 interpolated over more than an hour, 32 over more than six, 64 unmetered, 128 divided evenly at an end of a month';
`,
};
