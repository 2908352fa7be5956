/**
 * One list of what must be recomputed because readings have changed, instead of one for derived rows only.
 * Ingest marks, in its transaction, the kinds that depend on the device of a changed row. Kinds: 0 derived rows,
 * 1 days of accounting points, 2 virtual devices, 3 validation.
 *
 * A process caches for half a minute which kinds depend on a device, and may until then store readings without a
 * mark. So a kind that begins to depend marks its whole range with `again_at` a minute ahead: the range is
 * computed at once, and again at that time, when every process knows.
 */
export default {
  name: "0093-reading-due",
  up: /* sql */ `
create table reading_due (
  kind smallint not null check (kind between 0 and 15),
  device_id int not null,
  from_ts bigint not null,
  to_ts bigint not null,
  marks int not null default 1,
  -- Not taken before; 0: at once. New readings wait a little for more of them, corrections do not.
  due_at bigint not null default 0,
  -- Computed again then, from again_from on, though nothing has changed.
  again_at bigint not null default 0,
  again_from bigint not null default 0,
  marked_at bigint not null default extract(epoch from clock_timestamp())::bigint,
  leased_until bigint not null default 0,
  attempts int not null default 0,
  error text,
  primary key (kind, device_id)
) with (fillfactor = 50);

insert into reading_due (kind, device_id, from_ts, to_ts, marks, attempts, error)
  select 0, device_id, from_ts, to_ts, marks, attempts, error from derive_due;
drop table derive_due;

-- Kinds that depend on the readings of a device; derived rows depend on those of every device.
create table device_dependent (
  device_id int not null,
  kind smallint not null check (kind between 1 and 15),
  primary key (device_id, kind)
);

grant select, insert, update, delete on reading_due, device_dependent to metrum_api;
`,
};
