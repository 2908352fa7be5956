/**
 * What the embedded broker has refused to an account, one row per account and reason: it cannot grow, and ends
 * with its account.
 */
export default {
  name: "0179-mqtt-refusals",
  up: /* sql */ `
create table mqtt_refusal (
  username text not null references mqtt_account on delete cascade,
  reason text not null,
  company_id int not null references company on delete cascade,
  detail text not null,
  count bigint not null,
  last_at bigint not null,
  primary key (username, reason)
);
create index on mqtt_refusal (company_id);
alter table mqtt_refusal enable row level security;
alter table mqtt_refusal force row level security;
create policy system on mqtt_refusal to current_user using (true) with check (true);
create policy own on mqtt_refusal to metrum_api using (company_id = metrum_company());
grant select on mqtt_refusal to metrum_api;
`,
};
