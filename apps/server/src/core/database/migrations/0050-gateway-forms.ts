/**
 * What users set of gateways and base stations: the station of a gateway, its login and its sealed password.
 * `gateway_secret` has a row per gateway that signs in; it is filled by the form and deleted with the gateway.
 */
export default {
  name: "0050-gateway-forms",
  up: /* sql */ `
alter table gateway add column base_station_id int references base_station;
alter table gateway add column login text not null default '';
create index gateway_by_station on gateway (base_station_id) where base_station_id is not null;
create index gateway_listed on gateway (company_id, name, id) where deleted_at is null;
create index gateway_trash on gateway (company_id, id) where deleted_at is not null;
create index device_by_station on device (base_station_id) where base_station_id is not null;

-- A base station of an unknown make has neither model nor number.
alter table base_station alter column model_id drop not null;
alter table base_station alter column device_id set default '';
create unique index base_station_number on base_station (company_id, lower(device_id))
  where deleted_at is null and device_id <> '';

create table gateway_secret (
  gateway_id int primary key references gateway on delete cascade,
  company_id int not null references company,
  -- Password, sealed under the key file for this gateway.
  sealed bytea not null
);
alter table gateway_secret enable row level security;
alter table gateway_secret force row level security;
create policy system on gateway_secret to current_user using (true) with check (true);
create policy own on gateway_secret to metrum_api
  using (company_id = metrum_company()) with check (company_id = metrum_company());
-- What is sealed is written and never read by the API.
grant select (gateway_id, company_id), insert, delete on gateway_secret to metrum_api;
`,
};
