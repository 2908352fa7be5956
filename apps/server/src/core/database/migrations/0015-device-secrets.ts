/**
 * Passwords and cipher keys of devices, sealed, and frame counters that must never repeat (security rule
 * 4.6).
 */
export default {
  name: "0015-device-secrets",
  up: /* sql */ `
create table device_secret (
  device_id int not null references device on delete cascade,
  name text not null check (name in ('password', 'encryption', 'authentication')),
  -- Sealed under the key file for this device and name: it cannot be read, or moved to another row.
  sealed bytea not null,
  primary key (device_id, name)
);

-- Numbers are reserved here and committed before the first one is used; reserved numbers that are not used are lost.
create table device_counter (
  device_id int not null references device on delete cascade,
  counter text not null,
  next bigint not null check (next between 0 and 4294967296),
  primary key (device_id, counter)
);

-- The owner's rule: a counter only grows, whatever the request.
create function device_counter_grows() returns trigger language plpgsql as $$
begin
  if new.next < old.next then raise exception 'a counter of device % would go back', old.device_id; end if;
  return new;
end $$;
create trigger device_counter_grows before update on device_counter for each row execute function device_counter_grows();

do $$
declare name text;
begin
  foreach name in array array['device_secret', 'device_counter'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system on %I to current_user using (true) with check (true)', name);
  end loop;
end $$;
create policy own on device_secret to metrum_api
  using (exists (select from device d where d.id = device_id and d.company_id = metrum_company()))
  with check (exists (select from device d where d.id = device_id and d.company_id = metrum_company()));
grant select, insert, update, delete on device_secret to metrum_api;
`,
};
