/** Gateways and base stations have an archive, beside use and trash. */
export default {
  name: "0085-carrier-archive",
  up: /* sql */ `
alter table gateway add column is_archived boolean not null default false;
alter table base_station add column is_archived boolean not null default false;
drop index gateway_listed;
create index gateway_listed on gateway (company_id, name, id) include (is_archived) where deleted_at is null;
create index gateway_archived on gateway (company_id, name, id) where deleted_at is null and is_archived;
`,
};
