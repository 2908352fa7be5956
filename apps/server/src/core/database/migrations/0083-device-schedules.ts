/** Schedules that users store for a device, one each: tariffs, special days, tasks. They go with the device. */
export default {
  name: "0083-device-schedules",
  up: /* sql */ `
create table device_schedule (
  device_id int primary key,
  company_id int not null references company,
  rules jsonb not null,
  saved_at timestamptz not null default now(),
  foreign key (device_id, company_id) references device (id, company_id) on delete cascade
);
create index device_schedule_of_company on device_schedule (company_id);
alter table device_schedule enable row level security;
alter table device_schedule force row level security;
create policy system on device_schedule to current_user using (true) with check (true);
create policy own on device_schedule to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert, update, delete on device_schedule to metrum_api;
`,
};
