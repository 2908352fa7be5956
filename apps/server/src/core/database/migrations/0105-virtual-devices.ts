/**
 * Sources of virtual devices, whose readings are computed of those of other devices of the company. What is summed
 * stands in the properties of the virtual device; this says which devices it takes, so that changed readings of a
 * source lead to it. Rows are set with the properties; at most 32 fields of 32 sources a device.
 */
export default {
  name: "0105-virtual-devices",
  up: /* sql */ `
create table virtual_source (
  virtual_id int not null,
  source_id int not null check (source_id <> virtual_id),
  company_id int not null,
  primary key (virtual_id, source_id),
  foreign key (virtual_id, company_id) references device (id, company_id) on delete cascade,
  foreign key (source_id, company_id) references device (id, company_id) on delete cascade
);
create index virtual_source_of_source on virtual_source (source_id);
alter table virtual_source enable row level security;
alter table virtual_source force row level security;
create policy system on virtual_source to current_user using (true) with check (true);
create policy own on virtual_source to metrum_api using (company_id = metrum_company()) with check (company_id = metrum_company());
grant select, insert, update, delete on virtual_source to metrum_api;
`,
};
