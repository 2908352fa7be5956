/**
 * The serial number that a device has named last, with the first and the last time in a row. One row a device,
 * written by polls and uplinks, emptied with the device.
 */
export default {
  name: "0153-device-serials",
  up: /* sql */ `
create table device_serial (
  device_id int primary key references device on delete cascade,
  -- Empty: requested, and not named yet.
  serial text not null default '',
  since bigint not null default 0,
  last_at bigint not null default 0,
  -- When it was last requested; numbers that come with readings need no request.
  requested_at bigint not null default 0
);
alter table device_serial enable row level security;
alter table device_serial force row level security;
create policy system on device_serial to current_user using (true) with check (true);
create policy own on device_serial to metrum_api
  using (exists (select from device d where d.id = device_id and d.company_id = metrum_company()))
  with check (exists (select from device d where d.id = device_id and d.company_id = metrum_company()));
grant select on device_serial to metrum_api;
`,
};
