/**
 * Attributes of devices, filled by users, at most a hundred a device; they go with the device. And the log of
 * one object, which is a part of that of its company.
 */
export default {
  name: "0047-device-attributes",
  up: /* sql */ `
create table device_attribute (
  company_id int not null references company,
  device_id int not null references device on delete cascade,
  name text not null,
  value text not null,
  primary key (device_id, name)
);
create index device_attribute_used on device_attribute (company_id, name, value) include (device_id);
alter table device_attribute enable row level security;
alter table device_attribute force row level security;
create policy system on device_attribute to current_user using (true) with check (true);
create policy own on device_attribute to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert, update, delete on device_attribute to metrum_api;

create index audit_by_subject on audit (company_id, subject, at) where subject is not null;
`,
};
