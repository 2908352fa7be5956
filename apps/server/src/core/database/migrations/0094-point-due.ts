/**
 * Accounting points whose days must be recomputed because a tie, a ratio, an added amount or the zone has changed,
 * not a reading. Triggers mark them in the transaction of the change, so that no way of changing can forget it, and
 * keep the list of devices that points depend on. Days gain what totals of a period need to know about a gap.
 */
export default {
  name: "0094-point-due",
  up: /* sql */ `
alter table point_day
  -- Day of the point in which the gap begins: it lies in a period that contains this day and that of its end.
  add column gap_day date,
  add column gap_sec int,
  -- Part of gap_amount that rests on estimated values; that of amount is in estimated.
  add column gap_estimated numeric not null default 0;

create table point_due (
  point_id int primary key,
  from_ts bigint not null,
  to_ts bigint not null,
  marks int not null default 1,
  due_at bigint not null default 0,
  -- Computed again then, from again_from on: until a minute after a tie begins a process may store readings without marking the point.
  again_at bigint not null default 0,
  again_from bigint not null default 0,
  marked_at bigint not null default extract(epoch from clock_timestamp())::bigint,
  leased_until bigint not null default 0,
  attempts int not null default 0,
  error text
) with (fillfactor = 50);
grant select, insert, update, delete on point_due to metrum_api;

-- Without an end: until the year 9999. wait_sec: seconds after which the range is computed again.
create function mark_point(id int, from_ts bigint, to_ts bigint, wait_sec int default 0) returns void
    language sql security definer set search_path = public, pg_temp as $$
  insert into point_due as d (point_id, from_ts, to_ts, again_at, again_from)
    values (id, from_ts, coalesce(to_ts, 253402300799),
      case when wait_sec = 0 then 0 else extract(epoch from clock_timestamp())::bigint + wait_sec end, from_ts)
    on conflict (point_id) do update set from_ts = least(d.from_ts, excluded.from_ts),
      to_ts = greatest(d.to_ts, excluded.to_ts), marks = d.marks + 1, due_at = 0,
      again_at = greatest(d.again_at, excluded.again_at),
      again_from = case when excluded.again_at = 0 then d.again_from when d.again_at = 0 then excluded.again_from
        else least(d.again_from, excluded.again_from) end, leased_until = 0, attempts = 0, error = null
$$;

-- Two transactions that tie and untie the same device take turns: the last one sees all ties.
create function note_dependent(device int) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7301093, device);
  if exists (select from point_device where device_id = device) then
    insert into device_dependent (device_id, kind) values (device, 1) on conflict do nothing;
  else
    delete from device_dependent where device_id = device and kind = 1;
  end if;
end $$;

create function note_point_device() returns trigger
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
    perform mark_point(old.point_id, old.from_ts, old.to_ts);
    perform note_dependent(old.device_id);
  end if;
  if tg_op <> 'DELETE' then
    perform mark_point(new.point_id, new.from_ts, new.to_ts, 60);
    perform note_dependent(new.device_id);
  end if;
  return null;
end $$;
create trigger note_point_due after insert or update or delete on point_device
  for each row execute function note_point_device();

create function note_point_term() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
declare forever constant bigint := 253402300799;
begin
  if tg_op = 'UPDATE' and (old.point_id, old.kind, old.from_ts, old.number, old.transformer_id)
      is not distinct from (new.point_id, new.kind, new.from_ts, new.number, new.transformer_id) then
    if old.reading <> new.reading then
      perform mark_point(new.point_id, new.from_ts, new.from_ts);
    end if;
    if old.to_ts is distinct from new.to_ts then
      perform mark_point(new.point_id, least(coalesce(old.to_ts, forever), coalesce(new.to_ts, forever)),
        greatest(coalesce(old.to_ts, forever), coalesce(new.to_ts, forever)));
    end if;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    perform mark_point(old.point_id, old.from_ts, old.to_ts);
  end if;
  if tg_op <> 'DELETE' then
    perform mark_point(new.point_id, new.from_ts, new.to_ts);
  end if;
  return null;
end $$;
create trigger note_point_due_new after insert on point_term for each row
  when (new.kind in ('ratio', 'current_transformer', 'voltage_transformer')) execute function note_point_term();
create trigger note_point_due_old after update or delete on point_term for each row
  when (old.kind in ('ratio', 'current_transformer', 'voltage_transformer')) execute function note_point_term();

create function note_transformer() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_point(point_id, from_ts, to_ts) from point_term where transformer_id = new.id order by point_id, from_ts;
  return null;
end $$;
create trigger note_point_due after update of primary_value, secondary_value on transformer for each row
  when ((old.primary_value, old.secondary_value) is distinct from (new.primary_value, new.secondary_value))
  execute function note_transformer();

create function note_point_amount() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform mark_point(old.point_id, old.from_ts, old.to_ts);
  end if;
  if tg_op <> 'DELETE' then
    perform mark_point(new.point_id, new.from_ts, new.to_ts);
  end if;
  return null;
end $$;
create trigger note_point_due after insert or update or delete on point_amount
  for each row execute function note_point_amount();

create function note_point_zone() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_point(new.id, 0, null);
  return null;
end $$;
create trigger note_point_due after update of timezone on accounting_point for each row
  when (old.timezone <> new.timezone) execute function note_point_zone();

-- The capacity of a pulse counter depends on its weight: rollovers are recognised anew, when no process has the
-- old one cached.
create function note_counter() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform mark_point(point_id, from_ts, to_ts, 60) from point_device where device_id = new.id order by point_id, from_ts;
  return null;
end $$;
create trigger note_point_due after update of model_id, impulse_weight, starting_value on device for each row
  when ((old.model_id, old.impulse_weight, old.starting_value)
    is distinct from (new.model_id, new.impulse_weight, new.starting_value))
  execute function note_counter();

insert into device_dependent (device_id, kind) select distinct device_id, 1 from point_device on conflict do nothing;
insert into point_due (point_id, from_ts, to_ts) select id, 0, 253402300799 from accounting_point;
`,
};
