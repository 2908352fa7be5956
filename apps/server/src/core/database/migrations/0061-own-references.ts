/**
 * What a row refers to belongs to the company of the row. The database refuses others, should a call forget
 * to check an id.
 */
export default {
  name: "0061-own-references",
  up: /* sql */ `
alter table gateway add constraint gateway_of_company unique (id, company_id);
alter table base_station add constraint base_station_of_company unique (id, company_id);
alter table device add constraint device_of_company unique (id, company_id);
alter table poll_group add constraint poll_group_of_company unique (id, company_id);

alter table device drop constraint device_gateway_id_fkey, drop constraint device_base_station_id_fkey,
  add foreign key (gateway_id, company_id) references gateway (id, company_id),
  add foreign key (base_station_id, company_id) references base_station (id, company_id);
alter table gateway drop constraint gateway_base_station_id_fkey,
  add foreign key (base_station_id, company_id) references base_station (id, company_id);
alter table device_attribute drop constraint device_attribute_device_id_fkey,
  add foreign key (device_id, company_id) references device (id, company_id) on delete cascade;
alter table poll_group_device drop constraint poll_group_device_device_id_fkey,
  drop constraint poll_group_device_group_id_fkey,
  add foreign key (device_id, company_id) references device (id, company_id) on delete cascade,
  add foreign key (group_id, company_id) references poll_group (id, company_id) on delete cascade;
`,
};
